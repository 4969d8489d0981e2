import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { ENROLLED_CLIENT_NAMES } from "../dialects/schema.ts";
import { executorFiles } from "../local-executor/http.ts";
import { clientEnrolment } from "./client-enrolment.ts";
import { enrolmentView } from "./schema.ts";

const URL = "https://quarterdeck.example.com";
const view = enrolmentView.shape.client;

it.each(ENROLLED_CLIENT_NAMES)("shows every file of %s with a stand-in for the key", (client) => {
  const shown = view.parse(clientEnrolment(client, `${URL}/`, "user"));
  expect(shown?.problem).toBeNull();
  expect(shown?.files.at(-1)).toEqual({
    path: "~/.config/quarterdeck/header",
    mode: "0600",
    content: "Authorization: Bearer qd_...\n",
  });
  expect(shown?.files.map(({ content }) => content).join("")).not.toContain("0".repeat(64));
  expect(shown?.command).toBe(
    `curl -fsSO ${URL}/quarterdeck-enrol.mjs\nnode quarterdeck-enrol.mjs ${client} --user --url ${URL}\n`,
  );
});

it("shows the checksum of the script that is served", async () => {
  const { shell } = clientEnrolment("gemini", URL, "user");
  const [, shown] = /echo "(\w{64}) {2}quarterdeck-enrol.sh" \| sha256sum -c - &&/.exec(shell) ?? [];
  const served = await executorFiles["/quarterdeck-enrol.sh"]?.();
  expect(
    createHash("sha256")
      .update(served?.body ?? "")
      .digest("hex"),
  ).toBe(shown);
});

it("asks root for managed settings, with the key that the person set", () => {
  expect(clientEnrolment("codex", URL, "managed").command).toContain("\nsudo --preserve-env=QUARTERDECK_KEY node ");
});

it("says why there are no files", () => {
  expect(clientEnrolment("cline", URL, "managed").problem).toContain("no managed settings");
  expect(clientEnrolment("codex", "https://x.example/$(id)", "user")).toMatchObject({
    command: "",
    files: [],
    problem: expect.stringContaining("Give the gateway's address"),
  });
});
