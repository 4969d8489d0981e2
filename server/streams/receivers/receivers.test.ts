/** Each type of receiver, as it gets the events. */
import { parquetReadObjects } from "hyparquet";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  accept,
  breakOff,
  storeReceiver,
  syslogReceiver,
  testCertificate,
} from "../../../e2e/fixtures/stream-receivers.ts";
import { type StreamRig, streamRig } from "../../../e2e/fixtures/stream-rig.ts";
import * as service from "../service.ts";
import * as setAside from "../set-aside.ts";

let scene: StreamRig;
beforeAll(async () => {
  scene = await streamRig();
});
afterAll(() => scene?.close());
afterEach(() => scene.reset());

test("Splunk gets events with their time and a token, Elastic documents under an id that repeats", async () => {
  const at = await scene.tenant();
  await scene.call(at);
  const id = await scene.made(at, { kind: "splunk", secret: "token", index: "agents", kinds: ["decision"] });
  await scene.drain(at, id);
  const [splunk] = scene.http.requests;
  expect(splunk?.headers.authorization).toBe("Splunk token");
  const [envelope] = scene.http.lines() as [{ time: number; index: string; event: { at: string } }];
  expect([envelope.index, envelope.time * 1_000]).toEqual(["agents", Date.parse(envelope.event.at)]);

  scene.http.requests.length = 0;
  scene.http.behave((_request, response) =>
    response.end(JSON.stringify({ errors: true, items: [{ create: { status: 409 } }] })),
  );
  const other = await scene.made(at, {
    name: "elastic",
    kind: "elastic",
    secret: "key",
    index: "logs-agents",
    kinds: ["decision"],
  });
  await scene.drain(at, other);
  const [bulk] = scene.http.requests;
  expect([bulk?.path.split("?")[0], bulk?.headers.authorization]).toEqual(["/events/_bulk", "ApiKey key"]);
  const [create, document] = scene.http.lines() as [{ create: { _id: string } }, { id: string; at: string }];
  expect(create.create._id).toBe(`${at.workspaceId}:${document.id}`);
  expect(document).toMatchObject({ "@timestamp": document.at });
});

test("an answer of Elastic that refuses one document sets it aside, and one that is busy repeats all", async () => {
  const at = await scene.tenant();
  for (let index = 0; index < 3; index += 1) await scene.call(at);
  const id = await scene.made(at, { kind: "elastic", secret: "key", index: "logs-agents", kinds: ["decision"] });
  const items = (...statuses: number[]) =>
    statuses.map((status) => ({
      create: { status, ...(status > 299 && { error: { type: "mapper_parsing_exception" } }) },
    }));
  scene.http.behave((_request, response) =>
    response.end(JSON.stringify({ errors: true, items: items(201, 429, 201) })),
  );
  await scene.job().turn();
  expect(await scene.view(at)).toMatchObject({ events: 0, status: 429 });
  scene.http.behave((_request, response) =>
    response.end(JSON.stringify({ errors: true, items: items(409, 400, 409) })),
  );
  await scene.drain(at, id);
  expect(await setAside.list(scene.rig.db.database, at.workspaceId, { id })).toMatchObject([
    { status: 400, reason: "It refused the event (mapper_parsing_exception)." },
  ]);
});

test("syslog gets RFC 5424 messages over TLS, counts only whole connections and refuses an unknown certificate", async () => {
  const at = await scene.tenant();
  for (let index = 0; index < 50; index += 1)
    await scene.call(at, "pre_tool_use", { tool_input: { cmd: `grüße € ${"x".repeat(9_000)}` } });
  const certificate = testCertificate();
  const syslog = await syslogReceiver(certificate);
  try {
    const id = await scene.made(at, { kind: "syslog", address: syslog.address, kinds: ["decision"] });
    await scene.job().turn();
    expect(await scene.view(at)).toMatchObject({ events: 0, error: expect.stringContaining("not trusted") });
    await service.save(
      scene.world,
      at.actor,
      scene.settings({ id, kind: "syslog", address: syslog.address, kinds: ["decision"], ca: certificate.cert }),
    );
    syslog.breakWhen((_connection, bytes) => bytes > 1_000);
    await scene.due(id);
    await scene.job().turn();
    expect(await scene.view(at)).toMatchObject({ events: 0 });
    expect(syslog.messages).toEqual([]);
    syslog.breakWhen(() => false);
    await scene.drain(at, id);
    expect(syslog.messages).toHaveLength(50);
    const [, time, , , kind, text = ""] =
      /^<108>1 (\S+) (\S+) (\S+) - (\S+) - (.*)$/.exec(syslog.messages[0] ?? "") ?? [];
    expect([kind, JSON.parse(text)]).toMatchObject([
      "decision",
      { at: time, call: { input: expect.stringContaining("grüße €") } },
    ]);
  } finally {
    syslog.stop();
  }
});

test("a syslog server that closes the connection without an alert of TLS gets the events again", async () => {
  const at = await scene.tenant();
  await scene.call(at);
  const certificate = testCertificate();
  const syslog = await syslogReceiver(certificate);
  try {
    const settings = { kind: "syslog", address: syslog.address, ca: certificate.cert, kinds: ["decision"] } as const;
    const id = await scene.made(at, { ...settings, kinds: [...settings.kinds] });
    // It has read everything, and the kernel ends the connection as for a killed process.
    syslog.breakWhen((_connection, bytes) => bytes > 0);
    await scene.job().turn();
    expect(await scene.view(at)).toMatchObject({ events: 0, error: expect.stringContaining("closure alert") });
    syslog.breakWhen(() => false);
    await scene.drain(at, id);
    expect(await scene.view(at)).toMatchObject({ events: 1, resent: 1 });
    expect(syslog.messages).toHaveLength(1);
  } finally {
    syslog.stop();
  }
});

test("a store gets gzipped files, signed, and a repeated request writes the same file", async () => {
  const at = await scene.tenant();
  const store = await storeReceiver();
  try {
    for (let index = 0; index < 6; index += 1) await scene.call(at);
    const id = await scene.made(at, {
      ...{ kind: "s3", address: store.url, bucket: "records", region: "eu-1", prefix: "agents/", accessKeyId: "AKID" },
      ...{ secret: "hidden", kinds: ["decision"] },
    });
    const paths: string[] = [];
    store.behave((request, response) => {
      paths.push(request.path);
      breakOff(request, response);
    });
    await scene.job().turn();
    for (let index = 0; index < 6; index += 1) await scene.call(at);
    store.behave(accept);
    await scene.drain(at, id);
    const files = store.files();
    expect([...files.keys()][0]).toBe(paths[0]);
    expect(paths[0]).toMatch(/^\/records\/agents\/\d{4}\/\d\d\/\d\d\/\d{12}\.\d{5}-\d{12}\.\d{5}\.ndjson\.gz$/);
    expect([...files.values()].flat().map(({ kind }) => kind)).toEqual(Array(12).fill("decision"));
    expect(store.requests[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-1\/s3\/aws4_request, /,
    );
    expect(JSON.stringify(store.requests.map((one) => one.headers))).not.toContain("hidden");
  } finally {
    store.stop();
  }
});

test("a Parquet file has a row for each event, and the same bytes when it is sent again", async () => {
  const at = await scene.tenant();
  const store = await storeReceiver();
  try {
    for (let index = 0; index < 5; index += 1) await scene.call(at);
    const id = await scene.made(at, {
      ...{ kind: "s3", address: store.url, bucket: "records", region: "eu-1", accessKeyId: "AKID", secret: "hidden" },
      ...{ fileType: "parquet", kinds: ["decision"] },
    });
    const bodies: Buffer[] = [];
    store.behave((request, response) => {
      bodies.push(request.body);
      (bodies.length === 1 ? breakOff : accept)(request, response);
    });
    await scene.job().turn();
    await scene.drain(at, id);
    expect(store.requests.map(({ path }) => path)).toEqual([expect.stringMatching(/\d-\d{12}\.\d{5}\.parquet$/)]);
    expect(bodies[1]?.equals(bodies[0] ?? Buffer.alloc(0))).toBe(true);
    const rows = await parquetReadObjects({ file: Uint8Array.from(bodies[0] ?? []).buffer });
    expect(rows.map((row) => row.id)).toEqual(await scene.expected(at).then((ids) => ids.slice(0, 5)));
    expect(rows[0]).toMatchObject({
      ...{
        kind: "decision",
        at: expect.any(Date),
        recorded_at: expect.any(Date),
        hash: expect.stringMatching(/^[\w-]{43}$/),
      },
      event: { id: rows[0]?.id, call: { tool: "shell", verdict: "deny" } },
    });
  } finally {
    store.stop();
  }
});
