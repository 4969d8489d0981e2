import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    // Those take minutes and what a checkout may lack: `npm run test:long` has them.
    exclude: process.env.QUARTERDECK_LONG === "1" ? [] : ["**/*-long.test.ts"],
    include: ["server/**/*.test.ts", "components/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "packages/**/*.test.ts"],
    globalSetup: "./e2e/fixtures/database.setup.ts",
    testTimeout: 60_000,
    // A busy machine brings late what a test waits for; benches say how fast a thing is.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 120_000,
    // Tests wait for processes and for PostgreSQL more than they compute: two cores serve three. All share one PostgreSQL.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    // Loading the same modules anew for each file took a third of the run; a file that leaves something behind is mended.
    isolate: false,
  },
});
