import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["server/**/*.test.ts", "components/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    globalSetup: "./e2e/fixtures/database.setup.ts",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
