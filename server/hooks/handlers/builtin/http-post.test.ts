import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { httpPost, httpPostTo } from "./http-post.ts";
import type { Builtin, BuiltinCall } from "./kind.ts";
import { isPublicAddress } from "./public-address.ts";
import { unload, unloadUrl } from "./unload.ts";

interface Seen {
  method: string | undefined;
  url: string | undefined;
  body: string;
  headers: IncomingMessage["headers"];
}
let seen: Seen[];
let connections: number;
let answer: RequestListener;
let url: string;
let close: () => void;
const logged: string[] = [];

beforeEach(async () => {
  seen = [];
  connections = 0;
  logged.length = 0;
  answer = (_request, response) => response.end("{}");
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      seen.push({ method: request.method, url: request.url, body, headers: request.headers });
      answer(request, response);
    });
  });
  server.on("connection", () => {
    connections++;
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo; // holds: it listens on a port
  url = `http://127.0.0.1:${port}`;
  close = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => close());

const run = (builtin: Builtin, more: Partial<BuiltinCall> = {}) =>
  builtin.run({
    event: "turn_end",
    lane: "default",
    profile: "2026-07",
    input: {},
    args: [],
    env: {},
    signal: new AbortController().signal,
    log: (text) => logged.push(text),
    ...more,
  });
const loopback = httpPostTo(() => true);
const port = () => new URL(url).port;

describe("http_post", () => {
  it("posts the body as it is, and says nothing", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a place holder that must stay as it is
    const body = '{"text": "${env.SECRET} {{.Input}}", "n": 1e400}';
    expect(
      await run(loopback, { args: [`${url}/a?b=c`, body], env: { SECRET: "s" }, input: { cwd: "/x" } }),
    ).toBeNull();
    expect(seen).toMatchObject([
      { method: "POST", url: "/a?b=c", body, headers: { "content-type": "application/json" } },
    ]);
    await run(loopback, { args: [url] });
    expect(seen[1]).toMatchObject({ method: "POST", body: "" });
  });

  it("swallows failures, and names the target in the log without its password", async () => {
    answer = (_request, response) => response.writeHead(500).end();
    expect(await run(loopback, { args: [url.replace("//", "//me:secret@"), "{}"] })).toBeNull();
    close();
    expect(await run(loopback, { args: [url.replace("//", "//me:secret@"), "{}"] })).toBeNull();
    expect(logged).toHaveLength(2);
    expect(logged[0]).toBe(`http://me:xxxxx@127.0.0.1:${port()}/ answered 500`);
    expect(logged.join()).not.toContain("secret");
  });

  it.each([
    "ftp://example.org/x",
    "file:///etc/passwd",
    "not-a-url",
    "http:example.org",
    "http:///x",
    " http://example.org",
    "http://",
    "https:\\\\x",
    "javascript:1",
    "//example.org",
  ])("fails for %j, which is no http or https URL with a host", async (target) => {
    await expect(async () => run(httpPost, { args: [target, "{}"] })).rejects.toThrow(/^http_post: /);
  });

  it("follows ten redirects and no more; what was posted is posted again only where that is meant", async () => {
    answer = ({ url: at = "" }, response) => response.writeHead(Number(at.slice(1, 4)), { location: `/end` }).end();
    for (const status of [301, 302, 303, 307, 308]) {
      seen = [];
      const first = answer;
      answer = (request, response) => (request.url === "/end" ? response.end() : first(request, response));
      await run(loopback, { args: [`${url}/${status}`, "{}"] });
      const again = status < 307 ? { method: "GET", body: "" } : { method: "POST", body: "{}" };
      expect(seen).toMatchObject([{ method: "POST" }, { url: "/end", ...again }]);
    }
    seen = [];
    answer = (_request, response) => response.writeHead(307, { location: "/again" }).end();
    await run(loopback, { args: [url, "{}"] });
    expect(seen).toHaveLength(11);
    expect(logged.at(-1)).toContain("more than 10 redirects");
  });

  it("does not read an endless answer", async () => {
    answer = (_request, response) => {
      const more = () => {
        while (response.write("x".repeat(10_000)));
        response.once("drain", more);
      };
      more();
    };
    expect(await run(loopback, { args: [url, "{}"] })).toBeNull();
  });

  it("ends with the signal", async () => {
    const stop = new AbortController();
    answer = () => stop.abort();
    expect(await run(loopback, { args: [url, "{}"], signal: stop.signal })).toBeNull();
    expect(logged[0]).toMatch(/aborted/);
  });
});

describe("the guard", () => {
  const NOT_PUBLIC = [
    ...[
      "127.0.0.1",
      "127.8.8.8",
      "0.0.0.0",
      "10.1.2.3",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "169.254.169.254",
    ],
    ...[
      "100.64.0.1",
      "100.127.255.255",
      "224.0.0.1",
      "255.255.255.255",
      "240.0.0.1",
      "192.0.0.8",
      "198.18.0.1",
      "192.88.99.1",
    ],
    ...[
      "::",
      "::1",
      "fe80::1",
      "fec0::1",
      "fc00::1",
      "fd12:3456::1",
      "ff02::1",
      "2002:7f00:1::",
      "2001::1",
      "64:ff9b::7f00:1",
    ],
    ...[
      "64:ff9b:1::1",
      "::ffff:127.0.0.1",
      "::ffff:8.8.8.8",
      "::127.0.0.1",
      "2001:db8::1",
      "3fff::1",
      "100::1",
      "fe80::1%lo",
    ],
    ...["", "localhost", "8.8.8", "0x7f.1", "2130706433"],
  ];
  const PUBLIC = [
    "8.8.8.8",
    "1.1.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "192.0.1.1",
    "2606:4700::1111",
    "2a00:1450::8a",
  ];

  it("knows which addresses are public", () => {
    expect(NOT_PUBLIC.filter(isPublicAddress)).toEqual([]);
    expect(PUBLIC.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it("lets nothing connect here, however the address is written", async () => {
    const hosts = [
      "127.0.0.1",
      "localhost",
      "localhost.",
      "127.1",
      "0x7f.0.0.1",
      "2130706433",
      "0177.0.0.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "0.0.0.0",
      "127.0.0.1.",
      "①②⑦.0.0.1",
    ];
    for (const host of hosts) await run(httpPost, { args: [`http://${host}:${port()}/`, "{}"] });
    expect(logged).toHaveLength(hosts.length);
    for (const line of logged) expect(line).toMatch(/is not a public address|has no public address|ENOTFOUND/);
    expect(connections).toBe(0);
  });

  it("is asked again at every redirect", async () => {
    const asked: string[] = [];
    const onlyByNumber = httpPostTo((address) => {
      asked.push(address);
      return asked.length === 1;
    });
    answer = (_request, response) => response.writeHead(307, { location: `http://localhost:${port()}/inside` }).end();
    await run(onlyByNumber, { args: [url, "{}"] });
    expect(seen.map(({ url: at }) => at)).toEqual(["/"]);
    expect(asked[0]).toBe("127.0.0.1");
    expect(asked.length).toBeGreaterThan(1);
    expect(logged[0]).toContain("localhost has no public address");
  });

  it("connects to an address it checked, not to one that the name means later", async () => {
    const asked: string[] = [];
    const checked = httpPostTo((address) => {
      asked.push(address);
      return address === "127.0.0.1";
    });
    await run(checked, { args: [`http://localhost:${port()}/pinned`, "{}"] });
    expect(asked).toContain("127.0.0.1");
    expect(seen.map(({ url: at }) => at)).toEqual(["/pinned"]);
  });
});

describe("unload", () => {
  const switched = { from_agent: "a", to_agent: "b" };
  const model = (more: object) => ({ provider: "dmr", model: "ai/m", base_url: `${url}/engines/v1`, ...more });

  it("asks for each model in order, also when one cannot be asked", async () => {
    const from_agent_models = [
      model({ model: "1" }),
      model({ model: "2", base_url: "nowhere" }),
      model({ model: "3", base_url: "http://127.0.0.1:1/v1" }),
      model({ model: "4", unload_api: "/x", base_url: "" }),
      model({ model: "5", provider: "DMR" }),
      model({ model: "6", unload_api: "custom" }),
    ];
    expect(await run(unload, { input: { ...switched, from_agent_models } })).toBeNull();
    expect(seen.map(({ url: at, body }) => [at, body])).toEqual([
      ["/engines/_unload", '{"model":"1"}'],
      ["/custom", '{"model":"6"}'],
    ]);
    expect(logged).toHaveLength(3);
  });

  it.each([
    ["http://h/engines/llama.cpp/v1", "", "http://h/engines/llama.cpp/_unload"],
    ["http://h/v1/", "", "http://h/_unload"],
    ["http://h", "", "http://h/_unload"],
    ["http://h/api/?k=v", "", "http://h/api/_unload?k=v"],
    ["http://h/engines/v1?k=v", "off", "http://h/off?k=v"],
    ["http://h/engines/v1", "/off", "http://h/off"],
    ["http://h/v1", "https://other/x?y", "https://other/x?y"],
    ["", "http://other/x", "http://other/x"],
    ["", "", undefined],
  ])("base %j with api %j means %j", (base, api, expected) => {
    expect(unloadUrl(base, api)?.href).toBe(expected);
  });
});
