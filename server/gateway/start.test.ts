import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { StartupError } from "../platform/env.ts";
import { checkPort } from "./start.ts";

test("a taken port is one sentence with its number", async () => {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const address = squatter.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const failure: unknown = await checkPort({ host: "127.0.0.1", port }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect(String(failure)).toContain(`Port ${port} on 127.0.0.1 is taken`);
  squatter.close();
});

test("a HOST that is not this machine is said to be so", async () => {
  await expect(checkPort({ host: "192.0.2.1", port: 0 })).rejects.toThrow(/not an address of this machine/);
});
