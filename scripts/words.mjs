/**
 * `npm run check`, the step "words": refuses retired words as whole parts of file names and of exported identifiers, retired
 * page texts literally, and in comments the coinages. docs/glossary.md holds the words that stay, one meaning each.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { main, ROOT } from "./project.mjs";

/** As whole parts of a file's or an export's name. */
const NAMES = new Set(
  `told tell tells telling whence standing standings settled settle settling settles surroundings circumstances here beside
  alone hand hands ground onto meet meets renew renews unseen looking finals proof proofs storable guesses patience patiently
  siblings deeds defied`.split(/\s+/),
);
/** Trying a policy is the playground; `bench/` measures. */
const OF_THE_PRODUCT = new Set(["bench"]);
/** Types that say nothing alone. */
const TYPES = new Set(["Place", "Exchange", "Entry", "Report", "Record"]);
/** In comments: words that no dictionary has in this meaning. */
const COINAGES = /\b(whence|standings|surroundings|circumstances|storable|defied|deeds|patiently)\b/i;
/** In the texts of pages. */
const PAGE_TEXTS = [
  "Gates without an opinion",
  "finals told",
  "Denied here",
  "Used what is in force",
  "How its rules did",
  "How calls passed",
  "No model call was told",
  "went on unjudged",
];
/** Texts that a person reads: literals and JSX text of three words and more in these folders. */
const SENTENCES_IN = /^(app|components|server\/(errors|doctor|alerts|notices))\//;
/** Constructions that no product text needs, each with its replacement. */
const CONSTRUCTIONS = [
  [/\b(some|no|every|any)body\b/i, "name the person, the agent or the role"],
  [/\b(told|tells?)\b/i, "write shown, sent or reported"],
  [/\b(meanwhile|thereby|whence|hence)\b/i, "write a second sentence"],
  [/\bbesides?\b/i, "write next to, with or in addition to"],
  [/^(Of|Beyond|Among) [a-z]/, "start with the subject"],
  [/^(Whoever|Whatever|Whom)\b/, "start with the noun"],
  [/\bin no (sum|total)\b/, "write not included in totals"],
  [/\b(all the same|goes on|comes by|opens nothing|heard of|to be looked at)\b/, "use the plain verb"],
];
/** A doc comment is a sentence or a noun phrase. */
const QUESTION = /^(What|Whether|How|Who|Which|Why)\b/;

/** A test file's kind is no name: `*.proof.test.ts` is in the proof (check.mjs). */
const KIND = /\.proof\.(?=(test|spec)\.tsx?$)/;

const partsOf = (name) => name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).map((part) => part.toLowerCase());

/**
 * The first retired word that is a whole part of a name.
 * @param {string} name @param {string} file
 */
export function retiredWordIn(name, file) {
  const isProduct = /^(app|components|server|e2e)\//.test(file);
  return partsOf(name).find((part) => NAMES.has(part) || (isProduct && OF_THE_PRODUCT.has(part)));
}

/**
 * The violations of one file, each `file:line: sentence`.
 * @param {string} file from the project's root
 * @param {string} text
 */
export function violationsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const say = (at, sentence) => found.push(`${file}:${source.getLineAndCharacterOfPosition(at).line + 1}: ${sentence}`);
  const inFile = retiredWordIn(basename(file).replace(KIND, "."), file);
  if (inFile !== undefined) say(0, `"${inFile}" in the file's name is a retired word.`);

  for (const name of exportedNames(source)) {
    const word = retiredWordIn(name.text, file);
    if (word !== undefined) say(name.getStart(), `"${word}" in ${name.text} is a retired word.`);
    if (TYPES.has(name.text)) say(name.getStart(), `${name.text} alone says nothing: name its kind.`);
  }
  for (const { pos, end } of commentsOf(source, text)) {
    const comment = text.slice(pos, end);
    const coinage = COINAGES.exec(comment)?.[0];
    if (coinage !== undefined) say(pos, `"${coinage}" in a comment is a coinage.`);
    const question = comment.startsWith("/**") && QUESTION.exec(comment.replace(/^\/\*\*[\s*]*/, ""))?.[0];
    if (question) say(pos, `A doc comment begins with "${question}": make it a sentence or a noun phrase.`);
  }
  if (SENTENCES_IN.test(file) && !file.includes(".test."))
    for (const { at, construction, instead } of constructionsOf(source))
      say(at, `"${construction}" in a text: ${instead}.`);
  if (/^(app|components|server)\//.test(file) && !file.includes(".test."))
    for (const retired of PAGE_TEXTS) {
      const at = text.indexOf(retired);
      if (at >= 0) say(at, `The page text "${retired}" is retired.`);
    }
  return found;
}

/** The constructions in the texts of a file, at most one per text. Keys, addresses and short labels are not texts. */
function* constructionsOf(source) {
  const pending = [source];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    pending.push(...node.getChildren(source));
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (!isText && !ts.isJsxText(node)) continue;
    const text = node.text.replace(/\s+/g, " ").trim();
    if (text.split(" ").length < 3) continue;
    const sentences = text.split(/(?<=[.!?:]) /);
    const found = CONSTRUCTIONS.find(([construction]) => sentences.some((sentence) => construction.test(sentence)));
    if (found === undefined) continue;
    const [construction, instead] = found;
    const [word] = construction.exec(sentences.find((sentence) => construction.test(sentence)) ?? "") ?? [""];
    yield { at: node.getStart(source), construction: word, instead };
  }
}

/** The names of declarations and of specifiers that a file exports. */
function* exportedNames(source) {
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
      for (const { name } of statement.exportClause.elements) yield name;
    if (!ts.canHaveModifiers(statement)) continue;
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isVariableStatement(statement)) yield* statement.declarationList.declarations.flatMap(namesOf);
    else if (statement.name) yield statement.name;
  }
}

/** A destructured declaration has many. */
function namesOf({ name }) {
  return ts.isIdentifier(name) ? [name] : name.elements.flatMap((each) => (each.name ? namesOf(each) : []));
}

/** Every comment once, found before the tokens that it stands at. */
function* commentsOf(source, text) {
  const known = new Set();
  const pending = [source];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    pending.push(...node.getChildren(source));
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const range of ranges) {
      if (known.has(range.pos) || node.kind === ts.SyntaxKind.JsxText) continue;
      known.add(range.pos);
      yield range;
    }
  }
}

const SOURCES = /\.(ts|tsx|mjs)$/;

if (process.argv[1] === join(ROOT, "scripts/words.mjs")) {
  await main(() => {
    const named = process.argv.slice(2);
    const files = named.length > 0 ? named.filter((file) => SOURCES.test(file)) : listSources();
    const found = files
      .filter((file) => file !== "scripts/words.mjs")
      .flatMap((file) => violationsOf(file, readFileSync(join(ROOT, file), "utf8")));
    for (const violation of found) console.error(violation);
    if (found.length > 0) process.exitCode = 1;
  });
}

function listSources() {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"];
  const files = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return files.split("\n").filter((file) => file !== "");
}
