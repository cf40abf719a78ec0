// Looks at the page of a report in a real browser, and uses it as a person does.
// Arguments: the folder for screenshots, the page of a small campaign, the page of a large one.
// Every check prints a line; the exit code is 1 if one fails.
"use strict";
const { chromium } = require("playwright-core");
const { pathToFileURL } = require("node:url");
const [folder, small, large] = process.argv.slice(2);
let failed = 0;
const check = (what, holds, seen) => {
  console.log(`${holds ? "ok" : "FAILED"}: ${what}${seen === undefined ? "" : ` (${seen})`}`);
  if (!holds) failed = 1;
};
const number = text => Number((text.match(/[\d,]+/) || ["0"])[0].replaceAll(",", ""));

// The contrast of two colors as WCAG defines it.
const contrast = page => page.evaluate(() => {
  const light = color => {
    const [r, g, b] = color.match(/[\d.]+/g).map(part => part / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const panel = getComputedStyle(document.querySelector(".panel")).backgroundColor;
  const texts = [...document.querySelectorAll(".panel h2, .panel .soft, .panel .verdict, .panel p, .card b, .panel button")];
  return Math.min(...texts.map(node => ratio(light(getComputedStyle(node).color), light(panel))));
});

// The longest time in which nothing could be drawn while something was done.
const longestGap = async (page, action) => {
  await page.evaluate(() => {
    window.gap = 0;
    let last = performance.now();
    const tick = now => { window.gap = Math.max(window.gap, now - last); last = now; window.ticking = requestAnimationFrame(tick); };
    window.ticking = requestAnimationFrame(tick);
  });
  await action();
  return page.evaluate(() => { cancelAnimationFrame(window.ticking); return Math.round(window.gap); });
};

const useSmall = async (context, requests) => {
  const page = await context.newPage();
  const errors = [];
  page.on("request", request => requests.push(request.url()));
  page.on("console", message => { if (message.type() === "error") errors.push(message.text()); });
  page.on("pageerror", error => errors.push(error.message));
  await page.goto(pathToFileURL(small).href);
  const data = await page.evaluate(() => data);
  check("the cards count the tests", number(await page.locator(".card b").first().textContent()) === data.tests, data.tests);
  const kinds = data.counts[0].filter(Boolean).length;
  check("the bar has a part for each verdict", await page.locator(".stack").first().locator("span").count() === kinds, kinds);
  check("coverage growth is drawn", await page.locator("#growth path.curve").count() === 1);
  await page.locator("#growth svg").hover({ position: { x: 400, y: 60 } });
  check("the curve is explained under the pointer", (await page.locator(".tip").textContent()).includes("after"));
  await page.mouse.move(0, 0);
  check("every group is listed", await page.locator("details.group").count() === data.groups.length, data.groups.length);
  await page.screenshot({ path: `${folder}/light.png`, fullPage: true });

  await page.locator("details.group summary").first().click();
  const inside = page.locator("details.group").first().locator(".inside");
  await inside.locator("pre.test").waitFor();
  check("an opened group shows its smallest test", await inside.locator("pre.test").isVisible());
  check("and lines of the grammar", await page.evaluate(() => data.groups.some(group => group.elements.some(element => element.excerpt))));
  await inside.locator("button.copy").click();
  check("its test is copied", await page.evaluate(() => navigator.clipboard.readText()) === data.groups[0].text);
  await inside.locator("button.show").click();
  check("its tests are shown", number(await page.locator("#shown").textContent()) === data.groups[0].tests, data.groups[0].tests);
  await page.locator("#group-off").click();

  const verdict = data.verdicts[data.groups[0].verdict];
  await page.locator(`#group-kinds-${verdict}`).click();
  const others = data.groups.filter(group => group.verdict !== data.groups[0].verdict).length;
  check("groups are filtered by verdict", await page.locator("details.group:visible").count() === others, others);
  await page.locator(`#group-kinds-${verdict}`).click();
  await page.locator("#group-search").fill("no such text anywhere");
  check("and by text", await page.locator("details.group:visible").count() === 0);
  await page.locator("#group-search").fill("");

  await page.locator("#kinds-pass").click();
  const findings = data.counts.flat().reduce((a, b) => a + b, 0) - data.counts.reduce((sum, counts) => sum + counts[0], 0);
  check("tests are filtered by verdict", number(await page.locator("#shown").textContent()) === findings, findings);
  await page.locator("#kinds-pass").click();
  await page.locator("#search").fill(String(data.rows[5][0]));
  await page.waitForTimeout(200);
  await page.locator("#rows .row").first().click();
  check("a test is found by its number and opened", (await page.locator("#detail h3").textContent()).startsWith(`Test ${data.rows[5][0]} `));
  await page.locator("#search").fill("");
  await page.waitForTimeout(200);
  await page.locator("#list").focus();
  await page.keyboard.press("End");
  const last = data.rows[data.rows.length - 1][0];
  check("the keyboard reaches the last test", (await page.locator("#detail h3").textContent()).startsWith(`Test ${last} `), last);

  const light = await contrast(page);
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await back();
  await page.locator("#theme").click();
  check("dark mode changes the colors", before !== await back());
  const dark = await contrast(page);
  check("text can be read in both modes", Math.min(light, dark) >= 4.5, `contrast ${light.toFixed(1)} and ${dark.toFixed(1)}`);
  await page.screenshot({ path: `${folder}/dark.png`, fullPage: true });
  await page.setViewportSize({ width: 420, height: 800 });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check("a narrow window needs no sideways scrolling", excess <= 0, excess);
  await page.screenshot({ path: `${folder}/narrow.png` });
  check("the page reports no error", errors.length === 0, errors.join("; ") || undefined);
  await page.close();
};

const useLarge = async (context, requests) => {
  const page = await context.newPage();
  page.on("request", request => requests.push(request.url()));
  const began = Date.now();
  await page.goto(pathToFileURL(large).href);
  const loaded = Date.now() - began, tests = await page.evaluate(() => data.rows.length);
  const scrolling = await longestGap(page, () => page.evaluate(async () => {
    const list = document.getElementById("list");
    for (let step = 1; step <= 100; step++) {
      list.scrollTop = list.scrollHeight * step / 100;
      await new Promise(requestAnimationFrame);
    }
  }));
  const nodes = await page.locator("#rows .row").count();
  check("only rows in view are drawn", nodes > 5 && nodes < 120, `${nodes} of ${tests}`);
  const searching = await longestGap(page, async () => {
    await page.locator("#search").pressSequentially("true");
    await page.waitForTimeout(300);
  });
  const found = number(await page.locator("#shown").textContent());
  check("a search finds some of them", found > 0 && found < tests, found);
  console.log(`${tests} tests: loaded in ${loaded} ms; longest pause ${scrolling} ms while scrolling, ${searching} ms while searching`);
  check("the page does not freeze", Math.max(scrolling, searching) < 3000);
  await page.screenshot({ path: `${folder}/large.png` });
  await page.close();
};

(async () => {
  const args = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args });
  const requests = [];
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
  await useSmall(context, requests);
  await useLarge(context, requests);
  const dark = await browser.newContext({ colorScheme: "dark" });
  const page = await dark.newPage();
  await page.goto(pathToFileURL(small).href);
  check("the preference of the system is followed", await page.evaluate(() => document.documentElement.classList.contains("dark")));
  await browser.close();
  const foreign = requests.filter(url => !url.startsWith("file:") && !url.startsWith("data:"));
  check("nothing is asked of any network", foreign.length === 0, foreign.join(", ") || undefined);
  process.exit(failed);
})().catch(error => { console.log(`FAILED: ${error.stack}`); process.exit(1); });
