import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .map((name) => join(folder, name));

test("a form is made with components/ui/form.tsx, not by hand", () => {
  const byHand = ["app", "components"]
    .flatMap(files)
    .filter((file) => /<form[\s>]/.test(readFileSync(file, "utf8")) && file !== "components/ui/form.tsx");
  expect(byHand).toEqual([]);
});
