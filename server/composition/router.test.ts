import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { retiredWordIn } from "../../scripts/words.mjs";
import { appRouter } from "./router.ts";

/** `shadowModeRouter` by the folder that it is imported from: `shadow-mode`. */
const folderByRouter = new Map(
  [
    ...readFileSync(new URL("./router.ts", import.meta.url), "utf8").matchAll(
      /import \{ (\w+Router) \} from "\.\.\/(?:[\w-]+\/)*([\w-]+)\/router\.ts"/g,
    ),
  ].map(([, router = "", folder = ""]) => [router, folder]),
);
const camelCase = (folder: string) => folder.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

it("routers have the names of their folders, but for the one of agents", () => {
  const names = Object.keys(appRouter._def.record).filter((name) => name !== "agent");
  expect(names.length).toBeGreaterThan(30);
  expect(names.sort()).toEqual(
    [...folderByRouter]
      .filter(([router]) => router !== "agentRouter")
      .map(([, folder]) => camelCase(folder))
      .sort(),
  );
});

it("names of procedures hold no retired word", () => {
  const paths = Object.keys(appRouter._def.procedures);
  expect(paths.filter((path) => retiredWordIn(path, "server/composition/router.ts") !== undefined)).toEqual([]);
});
