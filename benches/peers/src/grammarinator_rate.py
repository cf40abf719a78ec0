"""How fast Grammarinator makes random tests: seconds, tests, bytes and distinct tests.

Arguments: the folder of a generator, its name, the rule to start from, the limit on depth, and the number of
tests. Base classes that a grammar names for other languages add nothing here.
"""

import importlib
import random
import sys
import time
import types

from grammarinator.runtime import Generator, RuleSize, simple_space_serializer

folder, name, rule, depth, count = sys.argv[1:]
sys.path.insert(0, folder)
sys.setrecursionlimit(1_000_000)
while True:
    try:
        maker = getattr(importlib.import_module(name), name)
        break
    except ModuleNotFoundError as missing:
        base = types.ModuleType(missing.name)
        setattr(base, missing.name, type(missing.name, (Generator,), {}))
        sys.modules[missing.name] = base
limit = RuleSize(depth=int(depth), tokens=RuleSize.max.tokens)
random.seed(0)
texts = []
begin = time.process_time()
for _ in range(int(count)):
    texts.append(simple_space_serializer(getattr(maker(limit=limit), rule)()))
seconds = time.process_time() - begin
size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
print(seconds, len(texts), size, len(set(texts)), sep="\t")
