/**
 * The walls hold only while something checks that they are looked at: one violation is planted for each rule, in a
 * skeleton of this tree, and every rule must fire on its own.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { longRun } from "../e2e/fixtures/long-run.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const configFile = join(root, ".dependency-cruiser.cjs");
const config = z
  .object({ forbidden: z.array(z.object({ name: z.string() })) })
  .parse(createRequire(import.meta.url)(configFile));

/** One file that breaks the rule, and the file it must not import when that is not there already. */
const PLANTED: Record<string, { file: string; imports: string; target?: string }> = {
  "no-cycles": { file: "server/costs/cycle.ts", imports: "./service.ts", target: "server/costs/service.ts" },
  "core-stands-alone": {
    file: "server/hooks/index.ts",
    imports: "../errors/error.ts",
    target: "server/errors/error.ts",
  },
  "templates-stand-alone": { file: "server/hooks/go-template/render/a.ts", imports: "node:fs" },
  "core-is-pure": { file: "server/hooks/engine/run.ts", imports: "node:fs" },
  "text-reads-yaml": { file: "server/hooks/contract/text/a.ts", imports: "node:fs" },
  "lint-reads-shell": { file: "server/hooks/contract/lint/a.ts", imports: "node:fs" },
  "calls-are-pure": { file: "server/hooks/calls/a.ts", imports: "node:fs" },
  "contract-knows-no-engine": {
    file: "server/hooks/contract/a.ts",
    imports: "../engine/b.ts",
    target: "server/hooks/engine/b.ts",
  },
  "handler-sees-ports-only": {
    file: "server/hooks/handlers/command/a.ts",
    imports: "../../engine/c.ts",
    target: "server/hooks/engine/c.ts",
  },
  "handlers-are-strangers": {
    file: "server/hooks/handlers/command/b.ts",
    imports: "../model/m.ts",
    target: "server/hooks/handlers/model/m.ts",
  },
  "core-has-one-door": {
    file: "server/costs/a.ts",
    imports: "../hooks/engine/d.ts",
    target: "server/hooks/engine/d.ts",
  },
  "client-stands-alone": {
    file: "packages/client/a.ts",
    imports: "../../server/errors/error.ts",
    target: "server/errors/error.ts",
  },
  "rooms-look-down": { file: "server/platform/a.ts", imports: "../costs/schema.ts", target: "server/costs/schema.ts" },
  "feature-door": {
    file: "server/costs/b.ts",
    imports: "../policies/service.ts",
    target: "server/policies/service.ts",
  },
  "composition-door": {
    file: "server/composition/a.ts",
    imports: "../policies/service.ts",
    target: "server/policies/service.ts",
  },
  "own-door": { file: "server/costs/l.ts", imports: "./index.ts", target: "server/costs/index.ts" },
  "service-re-exports": { file: "server/halts/service.ts", imports: "./m.ts", target: "server/halts/m.ts" },
  "no-barrels": { file: "server/costs/k.ts", imports: "../policies/schema.ts", target: "server/policies/schema.ts" },
  "prisma-in-repositories": {
    file: "server/costs/c.ts",
    imports: "../platform/db.ts",
    target: "server/platform/db.ts",
  },
  "trpc-at-the-edge": { file: "server/costs/d.ts", imports: "../trpc/init.ts", target: "server/trpc/init.ts" },
  "schema-is-isomorphic": { file: "server/costs/prices/schema.ts", imports: "node:path" },
  "client-door": { file: "components/costs/a.tsx", imports: "../../server/costs/e.ts", target: "server/costs/e.ts" },
  "app-composes": { file: "app/page.tsx", imports: "../server/costs/f.ts", target: "server/costs/f.ts" },
  "gateway-mounts": { file: "server/gateway/a.ts", imports: "../costs/g.ts", target: "server/costs/g.ts" },
  "nobody-knows-the-gateway": { file: "server/costs/h.ts", imports: "../gateway/b.ts", target: "server/gateway/b.ts" },
  "nobody-imports-app": { file: "components/costs/b.tsx", imports: "../../app/x.ts", target: "app/x.ts" },
  "component-features-are-strangers": {
    file: "components/costs/c.tsx",
    imports: "../policies/a.tsx",
    target: "components/policies/a.tsx",
  },
  "ui-is-mute": { file: "components/ui/a.tsx", imports: "../layout/a.tsx", target: "components/layout/a.tsx" },
  "charts-in-one-place": { file: "components/costs/d.tsx", imports: "d3-scale" },
  "tests-are-leaves": { file: "server/costs/i.ts", imports: "./j.test.ts", target: "server/costs/j.test.ts" },
};

const skeleton = mkdtempSync(join(tmpdir(), "quarterdeck-rules-"));
beforeAll(() => {
  for (const file of [".dependency-cruiser.cjs", ".dependency-cruiser.folders.cjs", "tsconfig.json"])
    cpSync(join(root, file), join(skeleton, file));
  symlinkSync(join(root, "node_modules"), join(skeleton, "node_modules"));
});
afterAll(() => rmSync(skeleton, { recursive: true, force: true }));

const cruised = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

const FOLDERS: readonly string[] = [".dependency-cruiser.folders.cjs", "server"];

const FILES: readonly string[] = [".dependency-cruiser.cjs", "app", "components", "server", "packages"];

function cruise(directory: string, [file = "", ...folders] = FILES) {
  const cli = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const args = [cli, ...folders, "--config", file, "--output-type", "json"];
  try {
    return read(execFileSync(process.execPath, args, { cwd: directory, maxBuffer: 1 << 28 }));
  } catch (error) {
    // Violations end in a non-zero exit; the report is still on stdout.
    return read(z.object({ stdout: z.instanceof(Buffer) }).parse(error).stdout);
  }
}
const read = (stdout: Buffer) => cruised.parse(JSON.parse(stdout.toString())).summary;

function write(file: string, text: string): void {
  const path = join(skeleton, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe("the import rules", () => {
  it("has a planted violation for every rule, and for no other", () => {
    expect(Object.keys(PLANTED).sort()).toEqual(config.forbidden.map((rule) => rule.name).sort());
  });

  it("fires every rule on its own violation", () => {
    for (const { target } of Object.values(PLANTED)) if (target) write(target, "export const planted = 1;\n");
    for (const { file, imports } of Object.values(PLANTED)) write(file, `export * from "${imports}";\n`);
    write("server/costs/service.ts", 'export * from "./cycle.ts";\n');
    const { violations } = cruise(skeleton);
    const fired = new Set(violations.map((violation) => `${violation.rule.name} in ${violation.from}`));
    for (const [rule, { file }] of Object.entries(PLANTED)) expect(fired).toContain(`${rule} in ${file}`);
  });

  it("fires on two folders that import each other, by a type alone", () => {
    write("server/halts/schema.ts", 'import type { Drill } from "../drills/schema.ts";\nexport type Halt = Drill;\n');
    write("server/drills/schema.ts", "export interface Drill {}\n");
    write("server/drills/service.ts", 'import type { Halt } from "../halts/schema.ts";\nexport type Held = Halt;\n');
    const fired = cruise(skeleton, FOLDERS).violations.map(({ rule, from }) => `${rule.name} in ${from}`);
    expect(fired).toEqual(
      expect.arrayContaining(["no-folder-cycles in server/halts", "no-folder-cycles in server/drills"]),
    );
  });

  // `npm run check` reads it as a step of its own.
  if (longRun)
    it("reads this tree, all of it, and finds nothing", () => {
      const { totalCruised, violations } = cruise(root);
      expect(totalCruised).toBeGreaterThan(100);
      expect(violations).toEqual([]);
    });
});
