/** Command lines of registries, clouds, containers and databases. */
import { FORCE, type Program } from "./program.ts";

const NPM_FLAGS = { global: "-g --global", save_dev: "-D --save-dev" };
const INSTALL = {
  i: "install",
  add: "install",
  in: "install",
  ins: "install",
  isntall: "install",
  un: "uninstall",
  rm: "uninstall",
  remove: "uninstall",
  up: "update",
  upgrade: "update",
  x: "exec",
  "install-test": "install",
  it: "install",
};
const NPM: Program = {
  operands: "none",
  flags: NPM_FLAGS,
  long: "prefix registry workspace dir filter cwd",
  short: "Cw",
  aliases: INSTALL,
};

const KUBECTL: Program = {
  short: "nsoflcL",
  long: "namespace context kubeconfig cluster user server token as output filename selector container field-selector kustomize grace-period timeout replicas image",
  operands: "none",
  flags: { force: "--force", all: "--all -A --all-namespaces", dry_run: "--dry-run" },
};
const DOCKER: Program = {
  short: "H",
  long: "config context host log-level filter format",
  operands: "none",
  flags: { force: FORCE, all: "-a --all", volumes: "-v --volumes", privileged: "--privileged", remove: "--rm" },
};
const TERRAFORM: Program = {
  long: "chdir var var-file target state out backend-config",
  operands: "none",
  flags: { auto_approve: "--auto-approve -auto-approve", destroy: "--destroy -destroy", force: "-force --force" },
};
const SQL: Program = {
  short: "cCdDefFhHLlmnopPqrRsStTuUvVwWxXzZ".replace(/[nqrRsStTwWxXvVzZ]/g, ""),
  long: "command dbname file host port username user password database execute eval",
  operands: "none",
  flags: { execute: "-c -e --command --execute --eval" },
  files: { "-f": "read", "--file": "read" },
};

export const PLATFORM_PROGRAMS: Readonly<Record<string, Program>> = {
  gh: {
    short: "RFfHXqtbBl",
    long: "repo field raw-field header method jq title body label",
    operands: "none",
    flags: { force: "--force", yes: "-y --yes", admin: "--admin" },
  },
  npm: NPM,
  pnpm: { ...NPM, aliases: { ...INSTALL, dlx: "exec" } },
  yarn: { ...NPM, aliases: { ...INSTALL, dlx: "exec" } },
  bun: { ...NPM, aliases: { ...INSTALL, a: "install" } },
  pip: {
    short: "rceit",
    long: "requirement constraint editable index-url extra-index-url target prefix root find-links",
    operands: "none",
    flags: {
      requirement: "-r --requirement",
      editable: "-e --editable",
      upgrade: "-U --upgrade",
      break_system_packages: "--break-system-packages",
    },
  },
  uv: { operands: "none", long: "python index-url directory project" },
  cargo: { operands: "none", aliases: { b: "build", t: "test", r: "run" } },
  go: { operands: "none" },
  gem: { operands: "none" },
  brew: { operands: "none" },
  apt: { short: "oct", operands: "none", flags: { yes: "-y --yes --assume-yes", purge: "--purge" } },
  "apt-get": { short: "oct", operands: "none", flags: { yes: "-y --yes --assume-yes", purge: "--purge" } },
  docker: DOCKER,
  podman: DOCKER,
  kubectl: KUBECTL,
  oc: KUBECTL,
  helm: {
    short: "nf",
    long: "namespace kube-context kubeconfig values set version",
    operands: "none",
    aliases: { delete: "uninstall", del: "uninstall", un: "uninstall" },
  },
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  terragrunt: TERRAFORM,
  pulumi: {
    short: "sCm",
    long: "stack cwd message",
    operands: "none",
    flags: { auto_approve: "-y --yes", force: FORCE },
  },
  aws: {
    long: "profile region output query endpoint-url",
    operands: "none",
    flags: { force: "--force --force-delete", recursive: "--recursive", delete: "--delete" },
  },
  gcloud: {
    long: "project account configuration format zone region",
    operands: "none",
    flags: { quiet: "-q --quiet" },
  },
  az: {
    short: "gno",
    long: "resource-group name output subscription query",
    operands: "none",
    flags: { yes: "-y --yes" },
  },
  psql: SQL,
  mysql: SQL,
  mariadb: SQL,
  sqlite3: { operands: "none" },
  mongosh: SQL,
  "redis-cli": { short: "hpsaun", operands: "none" },
};
