"use strict";
// The page shows `data`: names of verdicts, counts per subject, groups, points of the coverage curve, and one row per test:
// number, subject, verdict, 1 if it is to be rejected, text, name, group, line and column of the first error, reported line and column.
const data = JSON.parse(document.getElementById("data").textContent);
const [ID, SUBJECT, VERDICT, REJECT, TEXT, NAME, GROUP, LINE, COLUMN, SEEN_LINE, SEEN_COLUMN] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const ROW = 28;
const at = id => document.getElementById(id);
const make = (tag, attributes, ...children) => {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
};
const grouped = number => number.toLocaleString("en-US");
const plural = (number, word) => `${grouped(number)} ${word}${number === 1 ? "" : "s"}`;
const percent = (part, all) => all === 0 ? "–" : part === all ? "100 %" : `${Math.min(99.9, 100 * part / all).toFixed(1)} %`;
const oneLine = text => text.replace(/[\n\r\t]/g, c => c === "\n" ? "\\n" : c === "\r" ? "\\r" : "\\t");
const verdictNode = number => make("span", { class: `verdict k${number}` }, data.verdicts[number]);
const several = data.subjects.length > 1;

// Light and dark.
const setTheme = dark => {
  document.documentElement.classList.toggle("dark", dark);
  at("theme").textContent = dark ? "Light mode" : "Dark mode";
};
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
at("theme").addEventListener("click", () => setTheme(!document.documentElement.classList.contains("dark")));

// Title, cards and verdict bars.
const fileName = data.grammar.split("/").pop();
document.title = `${fileName}: gramercy campaign`;
at("title").replaceChildren(fileName || "Campaign", " ", make("code", {}, several ? plural(data.subjects.length, "program") : data.subjects[0] || ""));
at("about").textContent = [data.grammar, data.about].filter(Boolean).join(" · ");
at("foot").textContent = `gramercy ${data.version}. This page holds everything that it shows and needs no network.`;
const all = data.counts.flat().reduce((a, b) => a + b, 0), passed = data.counts.reduce((sum, counts) => sum + counts[0], 0);
const card = (kind, value, name) => make("div", { class: `card ${kind}` }, make("b", {}, value), make("span", { class: "soft" }, name));
at("cards").append(card("", grouped(data.tests), "tests"), card(passed === all ? "good" : "", percent(passed, all), "pass"),
  card(all - passed ? "bad" : "good", grouped(all - passed), "findings"), card(data.groups.length ? "bad" : "good", grouped(data.groups.length), "groups of findings"));
if (data.covered) at("cards").append(card("", grouped(data.covered), "targets covered"));
data.subjects.forEach((subject, index) => {
  const counts = data.counts[index], stack = make("div", { class: "stack", "aria-hidden": "true" }), legend = make("div", { class: "legend" });
  counts.forEach((count, number) => {
    if (!count) return;
    const part = make("span", { class: `k${number}`, title: `${data.verdicts[number]}: ${grouped(count)}` });
    part.style.flexGrow = count;
    stack.append(part);
    legend.append(make("span", { class: `k${number}` }, make("span", { class: "dot" }), `${data.verdicts[number]} `,
      make("span", { class: "number" }, grouped(count)), make("span", { class: "soft" }, ` ${percent(count, counts.reduce((a, b) => a + b, 0))}`)));
  });
  at("bars").append(make("div", { class: "subject" }, several ? make("h3", {}, make("code", {}, subject)) : null, stack, legend));
});

// Coverage growth.
const svgNode = (tag, attributes, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const niceStep = (most, count) => {
  const rough = most / count, power = 10 ** Math.floor(Math.log10(rough));
  return Math.max(1, power * [1, 2, 5, 10].find(factor => factor * power >= rough));
};
const drawGrowth = () => {
  const points = data.growth;
  if (!data.covered || points.length < 2) { at("growth-section").hidden = true; return; }
  const [width, height, left, right, top, bottom] = [960, 230, 56, 16, 12, 34];
  const lastTest = points[points.length - 1][0], most = data.covered, findings = points[points.length - 1][2];
  const x = test => left + (width - left - right) * test / lastTest, y = share => height - bottom - (height - top - bottom) * share;
  const svg = svgNode("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${grouped(most)} targets covered by ${grouped(data.tests)} tests` });
  for (let value = 0, step = niceStep(most, 4); value <= most; value += step) {
    svg.append(svgNode("line", { class: "grid", x1: left, x2: width - right, y1: y(value / most), y2: y(value / most) }),
      svgNode("text", { x: left - 8, y: y(value / most) + 4, "text-anchor": "end" }, grouped(value)));
  }
  for (let value = 0, step = niceStep(lastTest, 8); value <= lastTest; value += step)
    svg.append(svgNode("text", { x: x(value), y: height - bottom + 16, "text-anchor": "middle" }, grouped(value)));
  svg.append(svgNode("text", { x: width - right, y: height - 3, "text-anchor": "end" }, "tests"), svgNode("text", { x: left, y: height - 3 }, "covered targets" + (findings ? "; dashed: share of all findings" : "")));
  const path = of => points.map((point, index) => `${index ? "L" : "M"}${x(point[0]).toFixed(1)} ${y(of(point)).toFixed(1)}`).join("");
  const curve = path(point => point[1] / most);
  svg.append(svgNode("path", { class: "area", d: `${curve}L${x(lastTest)} ${y(0)}L${x(points[0][0])} ${y(0)}Z` }), svgNode("path", { class: "curve", d: curve }));
  if (findings) svg.append(svgNode("path", { class: "found", d: path(point => point[2] / findings) }));
  const cursor = svgNode("line", { class: "cursor", y1: top, y2: height - bottom }), tip = make("div", { class: "tip", hidden: "" });
  svg.append(cursor);
  const chart = make("div", { class: "chart" }, svg, tip);
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect(), wanted = ((event.clientX - box.left) / box.width * width - left) / (width - left - right) * lastTest;
    const point = points.reduce((best, one) => Math.abs(one[0] - wanted) < Math.abs(best[0] - wanted) ? one : best);
    cursor.setAttribute("x1", x(point[0])); cursor.setAttribute("x2", x(point[0])); cursor.style.visibility = "visible";
    tip.hidden = false;
    tip.textContent = `after ${plural(point[0], "test")}: ${plural(point[1], "target")}, ${plural(point[2], "finding")}`;
    tip.style.left = `${Math.min(box.width - tip.offsetWidth, Math.max(0, x(point[0]) / width * box.width + 8))}px`;
  });
  svg.addEventListener("pointerleave", () => { tip.hidden = true; cursor.style.visibility = "hidden"; });
  at("growth").append(chart);
};
drawGrowth();

// A test with its first error marked.
const offsetOf = (text, line, column) => {
  let offset = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf("\n", offset);
    if (end < 0) return text.length;
    offset = end + 1;
  }
  for (let number = 1; number < column && offset < text.length && text[offset] !== "\n"; number++) offset += text.codePointAt(offset) > 0xffff ? 2 : 1;
  return offset;
};
const shownChar = c => c === undefined ? "⏎ end" : c === "\n" ? "↵\n" : c;
const marked = (text, line, column) => {
  if (!line) return make("pre", { class: "test" }, text);
  const offset = offsetOf(text, line, column), c = offset < text.length ? String.fromCodePoint(text.codePointAt(offset)) : undefined;
  return make("pre", { class: "test" }, text.slice(0, offset), make("mark", { title: `first error: line ${line}, column ${column}` }, shownChar(c)), text.slice(offset + (c || "").length));
};
const copyButton = text => {
  const button = make("button", { type: "button", class: "copy" }, "Copy test");
  button.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(text); } catch {
      const area = make("textarea", {});
      area.value = text; document.body.append(area); area.select();
      document.execCommand("copy"); area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy test"; }, 1500);
  });
  return button;
};
const columnOffset = (line, column) => { const points = [...line]; return points.slice(0, column - 1).join("").length; };
const source = element => make("pre", { class: "source" }, ...element.excerpt.split("\n").flatMap((line, index) => {
  const number = element.line + index, [from, to] = [element.from, element.to];
  const start = number < from[0] || number > to[0] ? 0 : number === from[0] ? columnOffset(line, from[1]) : line.length - line.trimStart().length;
  const end = number < from[0] || number > to[0] ? 0 : number === to[0] ? columnOffset(line, to[1]) : line.length;
  return [index ? "\n" : "", make("span", { class: "line-number" }, String(number)), line.slice(0, start),
    end > start ? make("mark", { class: "element" }, line.slice(start, end)) : "", line.slice(Math.max(start, end))];
}));
// Text in which `code` stands between backquotes.
const withCode = text => text.split(/`([^`]+)`/).map((part, index) => index % 2 ? make("code", {}, part) : part);

// Groups of findings.
const fill = (node, group, number) => {
  const inside = make("div", { class: "inside" });
  inside.append(make("div", {}, make("h4", {}, `Smallest test, number ${group.id}`), marked(group.text, group.line, group.column),
    make("p", { class: "soft" }, group.words), make("div", { class: "buttons" }, copyButton(group.text), showTests(group, number))));
  const right = make("div", {});
  if (group.output) right.append(make("h4", {}, "Output of the program"), make("pre", {}, group.output));
  if (group.elements.length) right.append(make("h4", {}, "In the grammar"));
  for (const element of group.elements) {
    right.append(make("p", {}, ...withCode(element.excerpt && !element.text.includes("`") ? `\`${element.text}\`` : element.text), element.place ? make("span", { class: "soft" }, ` ${element.place}`) : ""));
    if (element.excerpt) right.append(source(element));
  }
  inside.append(right);
  node.append(inside);
};
const showTests = (group, number) => {
  const button = make("button", { type: "button", class: "show" }, group.tests === 1 ? "Show in the list" : `Show all ${grouped(group.tests)} tests`);
  button.addEventListener("click", () => { onlyGroup = number; filter(); at("tests-section").scrollIntoView(); });
  return button;
};
const groupNode = (group, number) => {
  const node = make("details", { class: `group k${group.verdict}` });
  node.append(make("summary", {}, make("span", {}, verdictNode(group.verdict), several ? make("span", { class: "soft" }, ` ${data.subjects[group.subject]}`) : null, ` ${group.title}`),
    make("span", { class: "count" }, plural(group.tests, "test")), group.text ? make("code", { class: "cut" }, oneLine(group.text).slice(0, 300)) : make("span", { class: "cut soft" }, "the empty text"), make("span", { class: "cut soft" }, ...withCode(group.reason))));
  node.addEventListener("toggle", () => {
    if (node.open && !node.querySelector(".inside")) fill(node, group, number);
  });
  return node;
};
const chips = (holder, used, chosen, changed) => data.verdicts.forEach((verdict, number) => {
  if (!used(number)) return;
  chosen.add(number);
  const chip = make("button", { type: "button", class: `chip on k${number}`, id: `${holder.id}-${verdict}`, "aria-pressed": "true" }, make("span", { class: "dot" }), verdict);
  chip.addEventListener("click", () => {
    const on = !chosen.has(number);
    if (on) chosen.add(number); else chosen.delete(number);
    chip.classList.toggle("on", on);
    chip.setAttribute("aria-pressed", String(on));
    changed();
  });
  holder.append(chip);
});
const groupKinds = new Set(), groupNodes = data.groups.map(groupNode);
const groupTexts = data.groups.map(group => [group.title, group.reason, group.text, group.output, ...group.elements.map(element => element.text)].join("\n").toLowerCase());
const filterGroups = () => {
  const wanted = at("group-search").value.toLowerCase();
  let count = 0;
  groupNodes.forEach((node, index) => {
    node.hidden = !groupKinds.has(data.groups[index].verdict) || !groupTexts[index].includes(wanted);
    count += node.hidden ? 0 : 1;
  });
  at("groups-shown").textContent = count === groupNodes.length ? "" : `${grouped(count)} of ${plural(groupNodes.length, "group")}`;
};
at("groups").append(...groupNodes);
if (groupNodes.length) {
  chips(at("group-kinds"), number => data.groups.some(group => group.verdict === number), groupKinds, filterGroups);
  at("group-search").addEventListener("input", filterGroups);
} else {
  at("group-filters").hidden = true;
  at("groups").append(make("p", { class: "soft" }, "There are no findings."));
}

// All tests; only the rows in view are drawn.
const rows = data.rows, kinds = new Set();
const lower = rows.map(row => row[TEXT].toLowerCase());
let shown = [], onlyGroup = null, selected = -1;
const filter = () => {
  const wanted = at("search").value.toLowerCase();
  shown = [];
  selected = -1;
  rows.forEach((row, index) => {
    if (!kinds.has(row[VERDICT]) || (onlyGroup !== null && row[GROUP] !== onlyGroup)) return;
    if (wanted && !lower[index].includes(wanted) && String(row[ID]) !== wanted && !(row[NAME] || "").toLowerCase().includes(wanted)) return;
    shown.push(row);
  });
  at("space").style.height = `${shown.length * ROW}px`;
  at("shown").textContent = `${grouped(shown.length)} of ${plural(rows.length, "test")}` + (data.left_out ? `; ${grouped(data.left_out)} more are in the database` : "");
  at("group-off").hidden = onlyGroup === null;
  at("group-off").textContent = onlyGroup === null ? "" : `Group ${onlyGroup + 1} ✕`;
  at("list").scrollTop = 0;
  paint();
};
const detail = row => {
  const group = row[GROUP] === undefined || row[GROUP] === null ? null : data.groups[row[GROUP]];
  const facts = [data.subjects[row[SUBJECT]], row[NAME], row[REJECT] ? "expected: reject" : "expected: accept",
    row[LINE] ? `first error at ${row[LINE]}:${row[COLUMN]}` : "", row[SEEN_LINE] ? `reported at ${row[SEEN_LINE]}${row[SEEN_COLUMN] ? ":" + row[SEEN_COLUMN] : ""}` : ""];
  const nodes = [make("h3", {}, `Test ${row[ID]} `, verdictNode(row[VERDICT])), make("p", { class: "soft" }, facts.filter(Boolean).join(" · "))];
  if (group) nodes.push(make("p", {}, group.title), make("p", { class: "soft" }, ...withCode(group.reason)));
  nodes.push(marked(row[TEXT], row[LINE], row[COLUMN]), make("div", { class: "buttons" }, copyButton(row[TEXT])));
  at("detail").replaceChildren(...nodes);
};
const rowNode = (row, index) => {
  const node = make("div", { class: index === selected ? "row open" : "row", role: "option", "aria-selected": String(index === selected) },
    make("span", { class: "number soft" }, grouped(row[ID])), verdictNode(row[VERDICT]), make("span", { class: "soft" }, row[REJECT] ? "reject" : "accept"),
    make("code", {}, oneLine(row[TEXT]).slice(0, 300)));
  node.addEventListener("click", () => select(index));
  return node;
};
const paint = () => {
  const list = at("list"), first = Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW) + 20);
  at("rows").style.transform = `translateY(${first * ROW}px)`;
  at("rows").replaceChildren(...shown.slice(first, last).map((row, index) => rowNode(row, first + index)));
};
const select = index => {
  if (index < 0 || index >= shown.length) return;
  selected = index;
  const list = at("list"), top = index * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  detail(shown[index]);
  paint();
};
let waiting = 0;
at("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 80); });
at("group-off").addEventListener("click", () => { onlyGroup = null; filter(); });
at("list").addEventListener("scroll", () => requestAnimationFrame(paint));
at("list").addEventListener("keydown", event => {
  const page = Math.floor(at("list").clientHeight / ROW);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -shown.length, End: shown.length };
  if (!(event.key in steps)) return;
  event.preventDefault();
  select(Math.min(shown.length - 1, Math.max(0, selected + steps[event.key])));
});
addEventListener("resize", paint);
chips(at("kinds"), number => data.counts.some(counts => counts[number]), kinds, filter);
filter();
