import { generateKeyPairSync, sign, verify } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSecrets, sameSecret } from "./secrets.ts";

const NONE = { token: undefined, sessionSecret: undefined, signingKey: undefined, credentialKey: undefined };
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "quarterdeck-secrets-"));
});
afterEach(() => rm(directory, { recursive: true }));

test("secrets are made once, for their owner alone", async () => {
  const first = await openSecrets(directory, NONE);
  const second = await openSecrets(directory, NONE);
  expect(second.adminToken).toBe(first.adminToken);
  expect(second.sessionSecret).toBe(first.sessionSecret);
  expect(second.signingKeyId).toBe(first.signingKeyId);
  expect(second.credentialKey).toEqual(first.credentialKey);
  expect(first.credentialKey).toHaveLength(32);
  expect((await readdir(directory)).sort()).toEqual([
    "admin-token",
    "credential-key",
    "session-secret",
    "signing-key.pem",
  ]);
  for (const name of await readdir(directory)) expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
});

test("openers that race agree", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => openSecrets(directory, NONE)));
  expect(new Set(all.map((secrets) => secrets.adminToken + secrets.signingKeyId)).size).toBe(1);
});

test("a secret that others may read is closed to them", async () => {
  await openSecrets(directory, NONE);
  await chmod(join(directory, "admin-token"), 0o644);
  await openSecrets(directory, NONE);
  expect((await stat(join(directory, "admin-token"))).mode & 0o777).toBe(0o600);
});

test("the signing key signs what its public half verifies", async () => {
  const { signingKey, signingPublicKey } = await openSecrets(directory, NONE);
  const signature = sign(null, Buffer.from("policy"), signingKey);
  expect(verify(null, Buffer.from("policy"), signingPublicKey, signature)).toBe(true);
  expect(verify(null, Buffer.from("forged"), signingPublicKey, signature)).toBe(false);
});

test("nodes share secrets through the environment, and nothing is written for them", async () => {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const given = {
    token: "shared-token",
    sessionSecret: "s".repeat(32),
    signingKey: pem,
    credentialKey: "c".repeat(32),
  };
  expect(await openSecrets(directory, given)).toMatchObject({
    adminToken: "shared-token",
    sessionSecret: "s".repeat(32),
  });
  expect(await readdir(directory)).toEqual([]);
});

test("a wrong key is refused by name, without its text", async () => {
  await expect(openSecrets(directory, { ...NONE, signingKey: "hunter2" })).rejects.toThrow(
    /^QUARTERDECK_SIGNING_KEY must be an Ed25519 private key in PEM\.$/,
  );
});

test("an empty secret file is never a secret", async () => {
  await writeFile(join(directory, "admin-token"), "");
  await expect(openSecrets(directory, NONE)).rejects.toThrow(/admin-token is empty/);
  expect(await readFile(join(directory, "admin-token"), "utf8")).toBe("");
});

test("secrets of any length compare", () => {
  expect(sameSecret("abc", "abc")).toBe(true);
  expect(sameSecret("abc", "abcd")).toBe(false);
});
