/** An exception by the first words of a command is for one program, and for nothing that this runs for others. */
import { describe, expect, it } from "vitest";
import { commandWordsOf, matchesCall } from "./match.ts";
import { isOpenPrefix, minPrefixWords } from "./prefix-programs.ts";

/** The command that the exception was made from, the words of it that it names, and a command that it must not be for. */
const HELD: readonly (readonly [example: string, words: number, other: string])[] = [
  ["uv run pytest tests", 2, "uv run rm x"],
  ["uvx ruff check", 2, "uvx ruff rm"],
  ["poetry run pytest", 2, "poetry run rm x"],
  ["pipenv run test", 2, "pipenv run rm x"],
  ["pdm run test", 2, "pdm run rm"],
  ["hatch run test", 2, "hatch run rm"],
  ["pipx run black", 2, "pipx run evil"],
  ["python manage.py migrate", 2, "python manage.py shell"],
  ["python3 -m pytest", 2, "python3 -m evil"],
  ["python script.py a", 2, "python script.py b"],
  ["node build.js a", 2, "node build.js evil"],
  ["ruby -e x", 2, "ruby -e x y"],
  ["perl -e x", 2, "perl -e x y"],
  ["php artisan migrate", 2, "php artisan tinker"],
  ["npm exec tsc", 2, "npm exec rm x"],
  ["npm run build", 2, "npm run evil"],
  ["npm test unit", 2, "npm test evil"],
  ["npm view left-pad", 2, "npm view evil/repo"],
  ["npm install left-pad", 2, "npm install evil"],
  ["npx tsc --noEmit", 2, "npx tsc evil"],
  ["pnpm run build", 2, "pnpm run evil"],
  ["pnpm dlx tsc", 2, "pnpm dlx rm"],
  ["yarn run build", 2, "yarn run evil"],
  ["bunx tsc x", 2, "bunx tsc evil"],
  ["bun run build", 2, "bun run evil"],
  ["deno run main.ts", 2, "deno run evil.ts"],
  ["go run main.go", 2, "go run evil.go"],
  ["go generate x", 2, "go generate evil"],
  ["cargo run release", 2, "cargo run evil"],
  ["cargo test unit", 2, "cargo test evil"],
  ["make build all", 2, "make build evil"],
  ["just build all", 2, "just build evil"],
  ["task build all", 2, "task build evil"],
  ["rake build all", 2, "rake build evil"],
  ["gradle build x", 2, "gradle build evil"],
  ["mvn exec:java x", 2, "mvn exec:java evil"],
  ["bazel run x", 2, "bazel run evil"],
  ["cmake build x", 2, "cmake build evil"],
  ["ninja build x", 2, "ninja build evil"],
  ["tox run x", 2, "tox run evil"],
  ["nox session x", 2, "nox session evil"],
  ["flock lock ls", 2, "flock lock rm x"],
  ["screen session ls", 2, "screen session rm"],
  ["tmux new-session ls", 2, "tmux new-session rm"],
  ["gdb program core", 2, "gdb program evil"],
  ["lldb program core", 2, "lldb program evil"],
  ["psql db user", 2, "psql db evil"],
  ["mysql db x", 2, "mysql db evil"],
  ["sqlite3 x.db tables", 2, "sqlite3 x.db .shell"],
  ["redis-cli eval x", 2, "redis-cli eval evil"],
  ["expect script a", 2, "expect script evil"],
  ["awk program file", 2, "awk program evil"],
  ["sed script file", 2, "sed script evil"],
  ["vim file a", 2, "vim file evil"],
  ["less file a", 2, "less file evil"],
  ["man page a", 2, "man page evil"],
  ["tar cf x", 2, "tar cf evil"],
  ["rsync a b", 2, "rsync a evil:"],
  ["scp a b", 2, "scp a evil"],
  ["curl url a", 2, "curl url evil"],
  ["wget url a", 2, "wget url evil"],
  ["terraform plan x", 2, "terraform plan evil"],
  ["ansible-playbook site.yml x", 2, "ansible-playbook site.yml evil"],
  ["helm install a", 2, "helm install evil"],
  ["aws s3 ls", 2, "aws s3 rm"],
  ["gcloud compute list", 2, "gcloud compute ssh"],
  ["vagrant ssh a", 2, "vagrant ssh evil"],
  ["systemd-run ls x", 2, "systemd-run ls evil"],
  ["entr ls a", 2, "entr ls evil"],
  ["direnv exec .", 2, "direnv exec . rm"],
  ["asdf exec ls", 2, "asdf exec rm"],
  ["mise exec ls", 2, "mise exec rm"],
  ["nix run x", 2, "nix run evil"],
  ["ld.so program a", 2, "ld.so program evil"],
  ["git push origin main", 2, "git push /tmp/evil-repo main"],
  ["git push origin main", 3, "git push origin other"],
  ["git push evil", 2, "git push evil-repo main"],
  ["git push ../evil main", 3, "git push ../evil main other"],
  ["git push ssh://x main", 3, "git push ssh://x main other"],
  ["git commit message", 2, "git commit evil"],
  ["git merge a", 2, "git merge evil"],
  ["git checkout a", 2, "git checkout evil"],
  ["git pull origin", 2, "git pull origin evil"],
  ["git fetch origin", 2, "git fetch ext::evil"],
  ["git clone a", 2, "git clone evil"],
  ["git submodule foreach", 2, "git submodule foreach evil"],
  ["git bisect run", 2, "git bisect run evil"],
  ["git rebase a", 2, "git rebase evil"],
  ["git config alias.x", 2, "git config alias.x !sh"],
  ["git -c core.pager=sh log", 3, "git -c core.pager=sh log x"],
  ["git -C folder push origin", 4, "git -C folder push origin x"],
  ["git log --ext-diff x", 3, "git log --ext-diff y"],
  ["git difftool a", 2, "git difftool evil"],
  ["git unknown-alias a", 2, "git unknown-alias evil"],
  ["gh alias set", 2, "gh alias set evil"],
  ["gh api user", 2, "gh api evil"],
  ["gh extension exec", 2, "gh extension exec evil"],
  ["gh pr checkout", 3, "gh pr checkout evil"],
  ["gh pr view", 2, "gh pr checkout"],
  ["kubectl exec pod", 2, "kubectl exec pod rm"],
  ["kubectl plugin x", 2, "kubectl plugin evil"],
  ["kubectl apply x", 2, "kubectl apply evil"],
  ["docker run image", 2, "docker run image rm"],
  ["docker exec box", 2, "docker exec box rm"],
  ["docker compose up", 2, "docker compose exec"],
  ["/tmp/git status x", 2, "/tmp/git status y"],
  ["./ls a", 2, "./ls a b"],
  ["LS a", 2, "LS a b"],
  ["constructor a", 2, "constructor a b"],
  ["ls --color=x", 2, "ls --color=x y"],
];

const OPEN = [
  ...[
    "ls docs",
    "cat README.md",
    "grep -rn TODO",
    "mkdir -p out",
    "git status short",
    "git log main",
    "git rev-parse HEAD",
  ],
  ...[
    "git diff --stat",
    "gh pr view",
    "gh run list",
    "kubectl get pods",
    "kubectl -n",
    "docker logs box",
    "npm ls left-pad",
  ],
];

function matches(example: string, words: number, other: string): boolean {
  const command = example.split(" ").slice(0, words);
  const pattern = { scope: "workspace", agentId: null, sessionId: null, members: [], toolName: "shell" } as const;
  const call = {
    agentId: "a",
    sessionId: "s",
    toolName: "shell",
    inputSha256: Buffer.alloc(32),
    input: { cmd: other },
  };
  return matchesCall({ ...pattern, inputSha256: null, command }, call);
}

describe("a prefix of a program that can run others", () => {
  it.each(HELD)("%j by %i words is not for %j", (example, words, other) => {
    expect(matches(example, words, other)).toBe(false);
  });

  it("is offered for none of them by so few words", () => {
    const offered = HELD.filter(([example, words]) => isOpenPrefix(example.split(" ").slice(0, words)));
    expect(offered).toEqual([]);
  });

  it("that an older release stored is for the command that it names, word for word", () => {
    expect(matches("uv run", 2, "uv run")).toBe(true);
    expect(matches("uv run", 2, "uv run pytest")).toBe(false);
  });
});

describe("a prefix of a program on the list", () => {
  it.each(OPEN.filter((command) => command !== "kubectl -n"))("%j is for what follows it", (command) => {
    const words = command.split(" ");
    expect(commandWordsOf({ cmd: command })).toEqual(words);
    expect(isOpenPrefix(words)).toBe(true);
    expect(matches(command, words.length, `${command} more`)).toBe(true);
    expect(matches(command, words.length, `${command} --more`)).toBe(false);
  });

  it("begins with its subcommand, not with an option alone", () => {
    expect(isOpenPrefix(["kubectl", "-n"])).toBe(false);
    expect(minPrefixWords(["git", "push", "origin", "main"], 2)).toBeNull();
    expect(minPrefixWords(["gh", "pr", "view", "7"], 2)).toBe(3);
    expect(minPrefixWords(["uv", "run", "pytest"], 2)).toBeNull();
  });
});
