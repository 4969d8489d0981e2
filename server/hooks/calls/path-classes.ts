/** Paths of a call and the path classes that rules use. Pure. */
import { globMatches } from "./globs.ts";
import type { PathClass } from "./path-class-names.ts";
import { normalised } from "./shell/directory.ts";

export interface PathPlace {
  /** The call's working directory, absolute; null if the client does not send it. */
  readonly workingDirectory: string | null;
}

const SYSTEM =
  /^(?:\/(?:bin|boot|dev|etc|lib|lib32|lib64|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library|Applications|private\/etc|private\/var|cores|nix|snap)(?:\/|$)|[a-z]:\/(?:windows|program files|program files \(x86\)|programdata)(?:\/|$))/i;
const TEMPORARY =
  /^(?:\/(?:tmp|var\/tmp|private\/tmp|private\/var\/folders|dev\/shm)(?:\/|$)|[a-z]:\/(?:temp|tmp|users\/[^/]+\/appdata\/local\/temp)(?:\/|$))/i;
const HOME = /^(?:~[^/]*|\/home\/[^/]+|\/Users\/[^/]+|\/root|[a-z]:\/users\/[^/]+)(?=\/|$)/i;
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|random|urandom|full|tty|stdin|stdout|stderr|fd(?:\/\d+)?|ptmx)$/;
const VERSION_CONTROL = /(?:^|\/)\.(?:git|hg|svn|jj)(?:\/|$)/i;
const DEPENDENCIES =
  /(?:^|\/)(?:node_modules|vendor|\.venv|venv|site-packages|\.bundle|Pods|\.cargo|bower_components|\.yarn|\.pnpm-store)(?:\/|$)/;
const BUILD_OUTPUT =
  /(?:^|\/)(?:dist|build|out|target|\.next|\.nuxt|\.output|coverage|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.turbo|\.parcel-cache|cmake-build-[^/]*|bin\/(?:Debug|Release)|obj\/(?:Debug|Release))(?:\/|$)|\.(?:pyc|pyo|o|obj|class|tsbuildinfo)$/;

/** Names of files and folders with credentials. Each name is also tested against shell patterns. */
const CREDENTIAL_FILES =
  /^(?:\.env(?:\..+)?|\.envrc|\.npmrc|\.yarnrc\.yml|\.pypirc|\.netrc|_netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.vault-token|\.htpasswd|\.dockercfg|id_[a-z0-9_]+|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)|credentials(?:\.(?:json|ya?ml|toml|tfrc\.json|db))?|secrets?\.(?:json|ya?ml|toml|env)|service[-_]account.*\.json|shadow|gshadow|sudoers|kubeconfig|\.boto|accesstokens\.json|hosts\.yml|auth\.json)$/i;
const CREDENTIAL_FOLDERS =
  /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.azure|\.kube|\.config\/(?:gcloud|gh|op|sops)|\.docker\/config\.json|\.password-store|Library\/Keychains|etc\/ssl\/private|\.config\/(?:google-chrome|chromium)\/.*(?:Cookies|Login Data)|run\/secrets)(?:\/|$)/i;
const NO_CREDENTIALS =
  /(?:^\.env\.(?:.+\.)?(?:example|sample|template|dist|defaults?|schema|test|ci)$|\.pub$|^id_(?:list|map|type|token_type)s?$|^hosts\.yml$|^auth\.json$)/i;
/** The names that patterns such as `.e*` are tested against. */
const CANONICAL = [
  ".env",
  ".env.local",
  ".npmrc",
  ".pypirc",
  ".netrc",
  ".git-credentials",
  ".pgpass",
  "id_rsa",
  "id_ed25519",
  ".ssh",
  ".aws",
  ".gnupg",
  ".kube",
  "credentials",
  "shadow",
  "server.pem",
  "server.key",
];

/** The path in the form that rules match: absolute if possible, `~` for a home, forward slashes. */
export function absolutePath(path: string, { workingDirectory }: PathPlace): string {
  const clean = normalised(path);
  if (isRooted(clean) || workingDirectory === null) return clean;
  return normalised(`${workingDirectory}/${clean}`);
}

const isRooted = (path: string): boolean => /^(?:\/|~|[A-Za-z]:(?:\/|$))/.test(path);

/** The classes of a path that is relative to the call's working directory, or absolute. */
export function classesOf(path: string, place: PathPlace): ReadonlySet<PathClass> {
  const classes = new Set<PathClass>();
  const absolute = absolutePath(path, place);
  const inside = insideProject(absolute, place);
  const isTemporary = TEMPORARY.test(absolute);
  classes.add(inside === null ? "outside" : "project");
  if (HOME.test(absolute) && inside === null) classes.add("home");
  if (isTemporary) classes.add("temporary");
  else if (SYSTEM.test(absolute) && inside === null) classes.add("system");
  if (isDevice(absolute)) classes.add("device");
  if (isCredential(absolute)) classes.add("credentials");
  const own = inside ?? absolute;
  if (VERSION_CONTROL.test(own)) classes.add("version_control");
  if (DEPENDENCIES.test(own)) classes.add("dependencies");
  if (BUILD_OUTPUT.test(own)) classes.add("build_output");
  if (isEverything(absolute, inside) || holdsProject(absolute, place)) classes.add("everything");
  return classes;
}

/** The path below the project; null if it is outside. */
function insideProject(absolute: string, { workingDirectory }: PathPlace): string | null {
  if (workingDirectory === null) return isRooted(absolute) || absolute.startsWith("..") ? null : absolute;
  const root = normalised(workingDirectory);
  if (!isRooted(absolute)) return absolute.startsWith("..") ? null : absolute;
  // A whole file system is not a project; otherwise no path would be outside of it.
  if (/^(?:\/|[a-z]:\/?)$/i.test(root)) return null;
  if (absolute === root) return ".";
  return absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : null;
}

/** A write to a device overwrites a disk or changes the machine. */
const isDevice = (path: string): boolean =>
  /^\/dev\/./.test(path) &&
  !HARMLESS_DEVICE.test(path) &&
  !path.startsWith("/dev/shm/") &&
  !path.startsWith("/dev/tcp/");

function isCredential(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (CREDENTIAL_FOLDERS.test(path)) return !name.endsWith(".pub") && name !== "known_hosts";
  if (/[*?[]/.test(name)) return /[^*?.]/.test(name) && CANONICAL.some((one) => globMatches(name, one));
  return CREDENTIAL_FILES.test(name) && !NO_CREDENTIALS.test(name);
}

const REST = String.raw`(?:\/(?:\*\*?|\*\.\*|\.\*|\.\[!\.\]\*|\{\*,\.\*\}))*$`;
const ROOT = new RegExp(
  String.raw`^(?:\/|[a-z]:\/?|~[^/]*|\/(?:home|Users|root|etc|usr|var|bin|boot|lib|lib64|sbin|opt|srv|System|Library|Applications|\*)|\/(?:home|Users)\/[^/]+|[a-z]:\/(?:windows|users|users\/[^/]+))${REST}`,
  "i",
);
const WHOLE_ROOT = /^\/(?:\*\*?|\.\*)?$/;
const WHOLE_PROJECT = /^(?:\.|\*|\.\*|\*\*|\.\/\*|\{\*,\.\*\})(?:\/\*\*?)*$/;

/** True for a folder above the project, which contains it. */
function holdsProject(absolute: string, { workingDirectory }: PathPlace): boolean {
  return (
    workingDirectory !== null && normalised(workingDirectory).startsWith(`${absolute.replace(/(?:\/\*\*?)+$/, "")}/`)
  );
}

/** True for a whole root, home or project, and for each folder above it. */
function isEverything(absolute: string, inside: string | null): boolean {
  if (inside !== null) return WHOLE_PROJECT.test(inside);
  return ROOT.test(absolute) || WHOLE_ROOT.test(absolute) || /^\.\.(?:\/\.\.)*(?:\/\*)?$/.test(absolute);
}
