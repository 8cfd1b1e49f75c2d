// What is shown and how; what other modules change here they tell by events.js.

export const state = {
  images: [], // {name, drawn, broken}
  item: -1, // the image that is shown
  slice: 0, // of a volume
  ready: false, // and loaded
  labels: [], // {name, colour, fixed: the model says the colour}; label 1 is the first
  model: null, // {name, decides: names of options}
  options: [], // the table of options
  methods: [], // as 'segment methods --json' prints them
  exports: [],
  label: 1, // that is painted with
  object: 0, // in object mode the label of the object that is drawn, and of its background; else 0
  background: 0,
  hidden: new Set(), // labels, by the acts of the image
  tool: "brush", // brush, eraser, delete, box, region
  size: 10, // of the brush, pixels of the screen
  show: "tint", // tint, outline, mask, none
  opacity: 0.35,
  uncertainty: false,
  news: null, // the server's last words about the image
};

export const PER_PIXEL = 16; // coordinates of strokes are counted in such parts of a pixel

export function colour(label) {
  return state.labels[label - 1]?.colour ?? "#ffffff";
}

export const UNKNOWN = 255; // in masks: like nothing that the model knows

export function nameOf(label) {
  if (label === UNKNOWN) return "unknown";
  const name = state.labels[label - 1]?.name ?? `region ${label}`;
  if (!state.object) return name;
  return label === state.background ? "background" : name.replace(/^region (?=\d+$)/, "object ");
}

// Of strokes: those of the background are grey in object mode, since its label is another one with every object.
export function strokeColour(label) {
  return label && label === state.background ? "#5a5a5a" : colour(label);
}

export function rgb(label) {
  const value = parseInt(colour(label).slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
