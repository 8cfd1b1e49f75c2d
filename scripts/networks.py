#!/usr/bin/python3
"""Graphs and a kernel for `segment experiment` and `segment cluster`, each with the file of its labels.

    networks.py OUT          needs python3-networkx

karate     34 members of a club, weighted by the contexts in which two met; the two clubs after it split
davis      18 women, weighted by the events that two attended; the two groups that most analyses find (the first nine
           women of the list, the others)
lesmis     77 characters, weighted by the chapters in which two appear. It has no known classes: the labels are the
           communities of greatest modularity that networkx finds, so agreement with another algorithm is measured.
spatial    500 random points of the unit square, each joined to its six nearest; two walls divide the square into four
           regions, the classes, and three quarters of the edges through a wall are left out
spatial-kernel.csv   the diffusion kernel exp(-L / 2) of the spatial graph, L its Laplacian; labels as the graph's

Nodes are counted from 0.
"""
import math
import os
import random
import sys

import networkx
import numpy


def write(out, name, edges, labels):
    with open(os.path.join(out, name + ".edges"), "w") as to:
        to.writelines("%d %d %g\n" % edge for edge in sorted(edges))
    with open(os.path.join(out, name + ".labels"), "w") as to:
        to.writelines("%s\n" % label for label in labels)


def numbered(graph):
    number = {node: i for i, node in enumerate(graph)}
    return [(number[a], number[b], weight) for a, b, weight in graph.edges(data="weight", default=1)]


def region(point):
    """Two curved walls, one across the other."""
    x, y = point
    return 2 * (y > 0.5 + 0.15 * math.sin(6 * x)) + (x > 0.5 + 0.15 * math.sin(6 * y))


def spatial(points):
    draw = random.Random(1)
    point = [(draw.random(), draw.random()) for _ in range(points)]
    label = [region(p) for p in point]
    edges = set()
    for i in range(points):
        near = sorted((math.dist(point[i], point[j]), j) for j in range(points) if j != i)
        edges |= {(min(i, j), max(i, j)) for _, j in near[:6]}
    kept = [e for e in sorted(edges) if draw.random() < 0.25 or label[e[0]] == label[e[1]]]
    return [(i, j, 1) for i, j in kept], label


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    karate = networkx.karate_club_graph()
    write(out, "karate", numbered(karate), [karate.nodes[i]["club"].replace(" ", "-") for i in karate])
    davis = networkx.davis_southern_women_graph()
    women = davis.graph["top"]
    together = networkx.bipartite.weighted_projected_graph(davis, women)
    ordered = networkx.Graph()
    ordered.add_nodes_from(women)
    ordered.add_edges_from(together.edges(data=True))
    write(out, "davis", numbered(ordered), [1 + (i >= 9) for i in range(len(women))])
    lesmis = networkx.les_miserables_graph()
    groups = networkx.community.greedy_modularity_communities(lesmis, weight="weight")
    write(out, "lesmis", numbered(lesmis), [next(g for g, c in enumerate(groups) if node in c) for node in lesmis])
    edges, label = spatial(500)
    write(out, "spatial", edges, label)
    W = numpy.zeros((len(label), len(label)))
    for i, j, weight in edges:
        W[i, j] = W[j, i] = weight
    value, vector = numpy.linalg.eigh(numpy.diag(W.sum(0)) - W)
    numpy.savetxt(os.path.join(out, "spatial-kernel.csv"), vector * numpy.exp(-value / 2) @ vector.T, "%.10g", ",")


if __name__ == "__main__":
    main()
