import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { EVERY_PAGE } from "./picture-pages.mjs";

const CONSOLE = join(import.meta.dirname, "../app/(console)");
/** Every parameter of a path has one name. */
const plain = (path: string) => path.replace(/\[[^\]]+\]|concepts/g, "[]");

it("takes a picture of every page of the console", () => {
  const routes = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${relative(CONSOLE, join(CONSOLE, file)).replace(/\/?page\.tsx$/, "")}`)
    .filter((route) => !route.includes("("));
  const pictured = new Set(Object.values(EVERY_PAGE).map(([address]) => plain(String(address).split("?")[0] ?? "")));
  expect(routes.map(plain).filter((route) => !pictured.has(route))).toEqual([]);
});
