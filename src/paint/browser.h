/* The browser of whoever sits here. */
#ifndef PAINT_BROWSER_H
#define PAINT_BROWSER_H

/* Open an address; nothing is said where there is no browser, since the address is printed too. */
void paint_browser_open(const char *address);

#endif
