/**
 * The walls of the house, as rules: who may import whom. CONTRIBUTING.md says it in words.
 * server/import-rules.test.ts plants one violation per rule and sees it fire.
 */
const ROOMS = "platform|errors|access|audit"; // what every feature may lean on; gateway/ and main.ts sit above the features
const SCHEMA = "[a-z/-]*schema\\.ts$"; // a large feature has several, each of a topic
const DOORS = `^server/hooks/(contract|reading|go-template/syntax)/|^server/[^/]+/${SCHEMA}`; // run in the browser too
const TEST = "\\.test\\.tsx?$|^e2e/|^server/hooks/conformance/";
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    rule("no-cycles", "Name the thing both sides need.", {}, { circular: true }),
    rule(
      "core-stands-alone",
      "server/hooks is a package of its own: @quarterdeck/hooks.",
      { path: "^server/hooks/" },
      { path: "^(server|app|components|prisma)/", pathNot: "^server/hooks/" },
    ),
    rule(
      "templates-stand-alone",
      "server/hooks/go-template is a package of its own too, and needs no other: @quarterdeck/go-template.",
      { path: "^server/hooks/go-template/", pathNot: TEST },
      { path: ".", pathNot: "^server/hooks/go-template/" },
    ),
    rule(
      "core-is-pure",
      "contract/ and engine/ know zod, re2js, the templates, what calls do and each other; not even node:*.",
      { path: "^server/hooks/(contract|engine)/", pathNot: [TEST, "^server/hooks/contract/(text|lint)/"] },
      { path: ".", pathNot: ["^server/hooks/(calls|contract|engine|go-template)/", "node_modules/(zod|re2js)/"] },
    ),
    rule(
      "text-reads-yaml",
      "contract/text/ is pure too; beside that it reads YAML.",
      { path: "^server/hooks/contract/text/", pathNot: TEST },
      { path: ".", pathNot: ["^server/hooks/contract/", "node_modules/(zod|yaml)/"] },
    ),
    rule(
      "lint-reads-shell",
      "contract/lint/ is pure too; beside that it reads shell text.",
      { path: "^server/hooks/contract/lint/", pathNot: TEST },
      { path: ".", pathNot: ["^server/hooks/(calls|contract)/", "(node_modules/|^)unbash(/|$)"] },
    ),
    rule(
      "calls-are-pure",
      "calls/ and reading/ run in the browser too: they know the contract, shell text and the evaluator of rules.",
      { path: "^server/hooks/(calls|reading|handlers/rules/evaluate)", pathNot: TEST },
      {
        path: ".",
        pathNot: ["^server/hooks/(calls|contract|reading|handlers/rules)/", "(node_modules/|^)(re2js|unbash|zod)(/|$)"],
      },
    ),
    rule(
      "contract-knows-no-engine",
      "The words do not depend on the machine.",
      { path: "^server/hooks/contract/", pathNot: TEST },
      { path: "^server/hooks/engine/" },
    ),
    rule(
      "handler-sees-ports-only",
      "A handler implements engine/ports.ts; it never calls the executor.",
      { path: "^server/hooks/handlers/", pathNot: TEST },
      { path: "^server/hooks/engine/", pathNot: "/ports\\.ts$" },
    ),
    rule(
      "handlers-are-strangers",
      "One handler kind does not import another.",
      { path: "^server/hooks/handlers/([^/]+)/" },
      { path: "^server/hooks/handlers/", pathNot: "^server/hooks/handlers/$1/" },
    ),
    rule(
      "core-has-one-door",
      "From outside: server/hooks/index.ts, contract/ or reading/, and the doors of the templates.",
      { pathNot: "^server/hooks/" },
      {
        path: "^server/hooks/",
        pathNot: "^server/hooks/(index\\.ts$|contract/|reading/|go-template/(index|syntax/(parse|functions))\\.ts$)",
      },
    ),
    rule(
      "client-stands-alone",
      "packages/client is a package of its own, @quarterdeck/client: it knows the API by its document and nothing of the console.",
      { path: "^packages/client/", pathNot: TEST },
      { path: "^(server|app|components|prisma|e2e)/" },
    ),
    rule(
      "rooms-look-down",
      "Shared rooms know no feature, no tRPC, no engine.",
      { path: `^server/(${ROOMS})/`, pathNot: TEST },
      { path: "^server/", pathNot: [`^server/(${ROOMS})/`, "^server/hooks/contract/"] },
    ),
    rule(
      "feature-door",
      "Enter another feature by its index.ts or a schema.ts.",
      { path: "^server/([^/]+)/", pathNot: ["^server/(hooks|trpc|composition|gateway)/", TEST] },
      { path: "^server/", pathNot: ["^server/$1/", `^server/(${ROOMS}|hooks|trpc)/`, "/index\\.ts$", `/${SCHEMA}`] },
    ),
    rule(
      "composition-door",
      "The composition mounts router.ts and http.ts files; everything else of a feature comes through its index.ts.",
      { path: "^server/composition/", pathNot: TEST },
      {
        path: "^server/",
        pathNot: [`^server/(${ROOMS}|hooks|trpc|composition|gateway)/`, "/(index|router|http)\\.ts$", `/${SCHEMA}`],
      },
    ),
    rule(
      "own-door",
      "A feature's index.ts is for other folders. Within the feature, import the file that defines the name.",
      { path: "^server/([^/]+)/", pathNot: "^server/hooks/" },
      { path: ["^server/$1/index\\.ts$", "^server/$1/[^/]+/index\\.ts$"] },
    ),
    rule(
      "service-re-exports",
      "A service.ts exports its own functions; index.ts exports the names of other files.",
      { path: "^server/.*/service\\.ts$", pathNot: "^server/hooks/" },
      { path: ".", dependencyTypes: ["export"] },
    ),
    rule(
      "no-barrels",
      "A door passes on nothing that another room owns: import it where it is made.",
      { path: "^(server|components)/([^/]+)/", pathNot: ["^server/hooks/", TEST] },
      // A repository may pass on the transaction that its services need; who may import the database, the next rule says.
      {
        path: "^(server|components)/",
        pathNot: ["^$1/$2/", "^server/platform/db\\.ts$"],
        dependencyTypes: ["export"],
      },
    ),
    rule(
      "prisma-in-repositories",
      "Repositories query; edges only pass the client on.",
      {
        path: "^(server|app|components)/",
        pathNot: [
          "/(repository|http)\\.ts$",
          "^server/(platform|audit|trpc|gateway)/",
          "^server/(main|composition/(app|serving|caller)|(gateway|console|jobs|scans)-process)\\.ts$",
          TEST,
        ],
      },
      { path: "node_modules/@prisma/|^prisma/|^server/platform/db\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "trpc-at-the-edge",
      "Only server/trpc, the composition, router.ts, the gateway and the console's process, which shares its procedures with pages, know tRPC.",
      {
        path: "^server/",
        pathNot: ["^server/(trpc|composition|gateway)/", "^server/console-process\\.ts$", "/router\\.ts$", TEST],
      },
      { path: "node_modules/@trpc/|^server/trpc/" },
    ),
    rule(
      "schema-is-isomorphic",
      "schema.ts imports zod, contract/ and other schema.ts files. Those of the core have the rules of the core.",
      { path: `^server/[^/]+/${SCHEMA}`, pathNot: "^server/hooks/" },
      { path: ".", pathNot: [DOORS, "node_modules/zod/"] },
    ),
    rule(
      "client-door",
      "components/ enters server/ by schema.ts or contract/; the rest is `import type`.",
      { path: "^components/", pathNot: TEST },
      { path: "^server/", pathNot: DOORS, dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "app-composes",
      "A page is a bundle of its own: it asks the process that serves it, and holds no second copy of the server.",
      { path: "^app/" },
      {
        path: "^server/",
        pathNot: [DOORS, "^server/trpc/page-procedures\\.ts$"],
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "gateway-mounts",
      "The gateway knows http.ts files, server/composition/, server/trpc/ and the shared rooms.",
      { path: "^server/gateway/", pathNot: TEST },
      {
        path: "^server/",
        pathNot: ["^server/gateway/", "/http\\.ts$", `^server/(composition|trpc|${ROOMS})/`],
      },
    ),
    rule(
      "nobody-knows-the-gateway",
      "Only the supervisor and the processes that answer start it, and the fixtures of tests.",
      { pathNot: "^server/(gateway/|(main|(gateway|console)-process)\\.ts$)|^e2e/" },
      { path: "^server/gateway/" },
    ),
    rule("nobody-imports-app", "Routes are leaves.", { pathNot: "^app/" }, { path: "^app/" }),
    rule(
      "component-features-are-strangers",
      "Two features meet in app/, not in each other. Permissions, backtests, coverage, a call of a tool, a label, the person behind an agent and an export are shown everywhere.",
      { path: "^components/([^/]+)/", pathNot: "^components/(ui|charts|layout|trpc)/" },
      {
        path: "^components/",
        pathNot: [
          "^components/$1/",
          "^components/(ui|charts|layout|trpc|access|backtest|coverage|judge-label|principals|tool-call|native-export)/",
        ],
      },
    ),
    rule(
      "ui-is-mute",
      "components/ui knows no domain word.",
      { path: "^components/ui/" },
      { path: "^(server|app|components)/", pathNot: "^components/ui/" },
    ),
    rule(
      "charts-in-one-place",
      "Only components/charts imports scales and shapes.",
      { pathNot: "^components/charts/" },
      { path: "node_modules/(@types/)?d3-" },
    ),
    rule("tests-are-leaves", "Production imports no test.", { pathNot: TEST }, { path: TEST }),
  ],
  options: {
    doNotFollow: { path: "node_modules|^prisma/generated|^packages/client/generated" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
  },
};
