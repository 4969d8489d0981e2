/**
 * A hook's cost per call of an agent: the local executor and the curl shim against a real console, beside a script that
 * makes the same decision alone. Turn by turn, because only ratios travel; the floor is a Node process doing nothing.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testGateway } from "../e2e/fixtures/gateway.ts";
import { bundle } from "../scripts/bundle.mjs";
import { ms, percentile } from "./fixtures/percentile.ts";
import { temporaryDatabase } from "./fixtures/temporary-database.ts";

const ROUNDS = 100;
const WARM_UP = 5;
/** A call that runs nothing here must stay within this many Node starts. */
const RATIO_MAX = 3;

const CONSOLE_POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: command, command: 'grep -q "rm -rf" && { echo no >&2; exit 2; }; true' }]
`;
const AGENT_POLICY = CONSOLE_POLICY.replace("type: command,", "type: command, run_on: agent,");

const INPUT = JSON.stringify({
  session_id: "bench",
  cwd: "/work",
  hook_event_name: "pre_tool_use",
  tool_name: "shell",
  tool_use_id: "t1",
  tool_input: { cmd: "ls -la src && cat package.json" },
});

const READS = {
  jq: `cmd=$(jq -r '.tool_input.cmd // ""')`,
  grep: `cmd=$(grep -o '"cmd": *"[^"]*"')`,
};
const decides = (read: string) => `${read}
case $cmd in *"rm -rf"*) echo no >&2; exit 2 ;; esac
`;

interface Way {
  readonly says: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** True if the local executor stays within its multiple of a bare Node start. */
export async function bench(): Promise<boolean> {
  await bundle();
  const folder = await mkdtemp(join(tmpdir(), "local-executor-bench-"));
  const database = await temporaryDatabase();
  const server = await testGateway(database.url);
  try {
    const trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
    const environment = async (name: string) => ({
      PATH: process.env.PATH ?? "",
      HOME: folder,
      QUARTERDECK_HOOK_DIR: join(folder, name),
      QUARTERDECK_URL: server.url,
      QUARTERDECK_TRUST_KEY: trustKey,
      QUARTERDECK_KEY: await server.agent(name),
    });
    const program = ["node", join(process.cwd(), "dist/quarterdeck-hook.mjs")];
    const hasJq = spawnSync("sh", ["-c", "command -v jq"]).status === 0;
    if (!hasJq) console.log("jq is not on this machine: the script reads its input with grep instead");
    await writeFile(join(folder, "gate.sh"), decides(hasJq ? READS.jq : READS.grep));
    await writeFile(join(folder, "nothing.mjs"), "");
    const plain = { PATH: process.env.PATH ?? "" };
    const atConsole = await environment("console");

    const first: Way[] = [
      { says: "node, doing nothing", command: ["node", join(folder, "nothing.mjs")], env: plain },
      {
        says: `bash and ${hasJq ? "jq" : "grep"}, deciding alone`,
        command: ["bash", join(folder, "gate.sh")],
        env: plain,
      },
      {
        says: "curl shim, gate at the console",
        command: ["sh", "dist/quarterdeck-hook.sh", "pre_tool_use"],
        env: atConsole,
      },
      { says: "local executor, gate at the console", command: [...program, "pre_tool_use"], env: atConsole },
      { says: "local executor, event that only observes", command: [...program, "turn_end"], env: atConsole },
    ];
    await server.publish(CONSOLE_POLICY, "bench");
    const times = await turnByTurn(first);
    await server.publish(AGENT_POLICY, "bench");
    const beside = { says: "local executor, gate beside the agent", command: [...program, "pre_tool_use"] };
    const later = await turnByTurn([{ ...beside, env: await environment("agent") }]);
    const all = [...times, ...later];
    for (const { says, took } of all)
      console.log(
        `${says.padEnd(42)} p50 ${ms(percentile(took, 0.5)).padStart(7)}  p99 ${ms(percentile(took, 0.99)).padStart(7)}`,
      );
    const ratio = percentile(all[3]?.took ?? [], 0.5) / percentile(all[0]?.took ?? [], 0.5);
    console.log(`a gate at the console costs ${ratio.toFixed(2)} bare Node starts; to hold: ${RATIO_MAX}`);
    return ratio <= RATIO_MAX;
  } finally {
    await server.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function turnByTurn(ways: readonly Way[]): Promise<{ says: string; took: number[] }[]> {
  const measured = ways.map(({ says }) => ({ says, took: [] as number[] }));
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const [index, way] of ways.entries()) {
      const took = await timed(way);
      if (round >= 0) measured[index]?.took.push(took);
    }
  }
  return measured;
}

/** Milliseconds from the start of the process to its end. Errors: an exit code other than 0. */
function timed({ says, command: [file = "", ...args], env }: Way): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: { NODE_ENV: "production", ...env }, stdio: ["pipe", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(performance.now() - startedMs);
      else reject(new Error(`${says} ended with ${code}: ${stderr}`));
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(INPUT);
  });
}
