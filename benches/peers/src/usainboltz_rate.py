"""How fast usainboltz draws derivation trees of about a size: seconds of tuning, seconds of drawing, trees, mean size.

Arguments: a file with one production per line (as `gramercy convert --to bnf` writes it), the size in nodes, a
tolerance as a share of it, and how many trees. Every production counts as one node, every terminal as another one, as
for our own program.
"""

import sys
import time
import warnings

from usainboltz import Atom, Generator, Grammar, RuleName

warnings.simplefilter("ignore")
path, size, tolerance, count = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
productions = []
with open(path, encoding="utf-8") as lines:
    for line in lines:
        left, arrow, right = line.partition(" → ")
        if arrow:
            productions.append((left.split()[-1], [s for s in right.split() if s != "ε"]))
z = Atom()
rules = {left: RuleName(left) for left, _ in productions}
sums = {}
for left, right in productions:
    product = z
    for symbol in right:
        product = product * rules.get(symbol, z)
    sums[left] = sums[left] + product if left in sums else product
grammar = Grammar({rules[left]: expression for left, expression in sums.items()})
begin = time.process_time()
generator = Generator(grammar, rules[productions[0][0]], singular=True)
tuned = time.process_time() - begin
low, high = round(size * (1 - tolerance)), round(size * (1 + tolerance))
sizes = 0
begin = time.process_time()
for _ in range(count):
    sizes += generator.sample((low, high)).sizes[z]
seconds = time.process_time() - begin
print(tuned, seconds, count, sizes / count, sep="\t")
