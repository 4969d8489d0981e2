/**
 * The shell shim's own cost: `quarterdeck-hook.sh` asking a console, turn by turn beside `curl --version`, which is what curl's start costs
 * on this machine, and beside the same call by curl alone.
 *
 *     npm run bench shim [-- rounds]
 */
import { spawn } from "node:child_process";
import { testGateway } from "../e2e/fixtures/gateway.ts";
import { bundle } from "../scripts/bundle.mjs";
import { observed, promised } from "./fixtures/figures.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { TOOL_CALL } from "./fixtures/reports.ts";
import { temporaryDatabase } from "./fixtures/temporary-database.ts";

const ROUNDS = 200;
const WARM_UP = 10;
const ADDED_MS_MAX = 25;

/** True when the shim takes less than its limit beyond curl's own start. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const rounds = Number(args[0] ?? ROUNDS);
  await bundle();
  const database = await temporaryDatabase();
  const server = await testGateway(database.url);
  try {
    const key = await server.agent("shim");
    const env = { PATH: process.env.PATH ?? "", QUARTERDECK_URL: server.url, QUARTERDECK_KEY: key };
    const url = `${server.url}/api/v1/hooks/pre_tool_use?lane=default`;
    const sent = ["-H", `Authorization: Bearer ${key}`, "-H", "Content-Type: application/json", "--data-binary", "@-"];
    const ways = [
      ["curl", "--version"],
      ["curl", "-q", "-sS", ...sent, url],
      ["sh", "dist/quarterdeck-hook.sh", "pre_tool_use"],
    ];
    const times: number[][] = ways.map(() => []);
    for (let round = -WARM_UP; round < rounds; round += 1)
      for (const [at, way] of ways.entries()) {
        const took = await timed(way, env);
        if (round >= 0) times[at]?.push(took);
      }
    const [start = [], curl = [], shim = []] = times;
    const text = (of: readonly number[]) => `p50 ${ms(percentile(of, 0.5))}, p95 ${ms(percentile(of, 0.95))}`;
    observed("curl --version", text(start));
    observed("the same call by curl alone", text(curl));
    observed("quarterdeck-hook.sh", text(shim));
    const added = percentile(shim, 0.5) - percentile(start, 0.5);
    const ratio = percentile(shim, 0.5) / percentile(start, 0.5);
    return promised(
      "the shim beyond curl's own start, p50",
      `under ${ADDED_MS_MAX} ms, the console's answer included`,
      `${ms(added)} (${ratio.toFixed(2)}x of curl's start)`,
      added < ADDED_MS_MAX,
    );
  } finally {
    await server.stop();
    await database.stop();
  }
}

/** Milliseconds from the start of the process to its end. Errors: an exit code other than 0. */
function timed([file = "", ...args]: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: { NODE_ENV: "production", ...env }, stdio: ["pipe", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(performance.now() - startedMs);
      else reject(new Error(`${file} ended with ${code}`));
    });
    child.stdin?.on("error", () => undefined); // curl --version reads nothing
    child.stdin?.end(JSON.stringify(TOOL_CALL));
  });
}
