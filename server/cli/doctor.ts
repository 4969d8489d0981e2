/** `doctor`: the server's findings, or without a server those of this machine. */
import { resolve } from "node:path";
import { disk, modes, nodeVersion, secrets } from "../doctor/index.ts";
import { examinationView, type Finding } from "../doctor/schema.ts";
import { env } from "../platform/env.ts";
import { print, printJson } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask } from "./server.ts";

const SIGNS: Record<Finding["state"], string> = { failure: "✖", warning: "!", unknown: "?", ok: "✔" };

export async function doctor(json: boolean): Promise<void> {
  const findings = await ask("doctor.examine", undefined, examinationView).then(
    (examination) => examination.findings,
    async (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return [withoutServer(error.message), ...(await ofThisMachine())];
    },
  );
  if (json) printJson({ findings });
  else for (const one of findings) print(line(one));
  // A refusal without a message, because everything is printed already.
  if (findings.some(({ state }) => state === "failure")) throw new Refusal("");
}

function line({ state, says, todo }: Finding): string {
  return `${SIGNS[state]} ${says}${todo === null ? "" : `\n  ${todo}`}\n`;
}

const withoutServer = (says: string): Finding => ({
  id: "server",
  state: "failure",
  says,
  todo: "What the database and the agents tell was not looked at.",
});

async function ofThisMachine(): Promise<Finding[]> {
  const { dataDir, token, sessionSecret, credentialKey } = env();
  const given = {
    QUARTERDECK_TOKEN: token,
    QUARTERDECK_SESSION_SECRET: sessionSecret,
    QUARTERDECK_CREDENTIAL_KEY: credentialKey,
  };
  const home = resolve(dataDir);
  const looks = [disk(home), modes(home)].map((look) => look.catch(() => null));
  const seen = (await Promise.all(looks)).filter((one) => one !== null);
  return [nodeVersion(process.version), secrets(given), ...seen];
}
