/** The tables of docs/siem.md are those that the code maps by. UPDATE_DOCS=1 writes them. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OUTCOMES } from "./ocsf.ts";
import { ACTS, OCSF_CLASSES } from "./ocsf-classes.ts";

const FILE = new URL("../../../docs/siem.md", import.meta.url);

const DISPOSITIONS: Readonly<Record<number, string>> = { 1: "Allowed", 2: "Blocked", 16: "No Action", 23: "Challenge" };
const ACTIONS: Readonly<Record<number, string>> = { 1: "Allowed", 2: "Denied", 99: "Other" };

const verdicts = () => [
  "| verdict | action | disposition |",
  "|---|---|---|",
  ...Object.entries(OUTCOMES).map(
    ([verdict, { action, disposition }]) =>
      `| ${verdict} | ${action} ${ACTIONS[action]} | ${disposition} ${DISPOSITIONS[disposition]} |`,
  ),
];

const acts = () => [
  "| act | class | activity |",
  "|---|---|---|",
  ...Object.entries(ACTS).map(([act, [name, activity]]) => {
    const { uid, name: title, activities } = OCSF_CLASSES[name];
    return `| \`${act}\` | ${uid} ${title} | ${activity} ${Reflect.get(activities, activity)} |`;
  }),
];

/** The document with the lines of a table behind its marker. */
function withTable(text: string, marker: string, lines: readonly string[]): string {
  const [before = "", rest = ""] = text.split(`<!-- ${marker} -->\n\n`);
  const after = rest.replace(/^(\|.*\n)*\n?/, "");
  return `${before}<!-- ${marker} -->\n\n${lines.join("\n")}\n\n${after}`;
}

test("the document has the classes and activities of the code", () => {
  const text = readFileSync(FILE, "utf8");
  const current = withTable(withTable(text, "ocsf-verdicts", verdicts()), "ocsf-acts", acts());
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, current);
  else expect(text).toBe(current);
});
