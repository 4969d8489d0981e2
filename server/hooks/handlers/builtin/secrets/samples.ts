/** Fake secrets of every family for the tests. They are assembled at run time, so the source contains no whole one. */

let state = 20_260_701;
/** The same numbers in every run. */
function pick(characters: string): string {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return characters.charAt(Math.floor((state / 2_147_483_648) * characters.length));
}
const of = (characters: string) => (length: number) => Array.from({ length }, () => pick(characters)).join("");

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
export const digits = of(DIGITS);
export const hex = of("0123456789abcdef");
export const caps = of(LETTERS.toUpperCase() + DIGITS);
export const an = of(LETTERS + LETTERS.toUpperCase() + DIGITS);
export const url64 = of(`${LETTERS}${LETTERS.toUpperCase()}${DIGITS}_-`);
/** Begins with a digit, so that even a short one is not a word. */
export const lower = (length: number) => digits(1) + of(LETTERS + DIGITS)(length - 1);
export const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");

/** A secret in a context that must stay: `before` and `after`. */
export interface Sample {
  readonly name: string;
  readonly before: string;
  readonly secret: string;
  readonly after: string;
}

const plain = (name: string, ...pieces: readonly string[]): Sample => ({
  name,
  before: "here ",
  secret: pieces.join(""),
  after: " there",
});
const assigned = (vendor: string, value: string): Sample => ({
  name: `${vendor} by name`,
  before: `export ${vendor.toUpperCase()}_API_TOKEN = "`,
  secret: value,
  after: '" # mine',
});
const framed = (name: string, before: string, secret: string, after: string): Sample => ({
  name,
  before,
  secret,
  after,
});

const base64url = (json: string) => Buffer.from(json).toString("base64url");
const dashes = (line: string) => ["-----", line, "-----"].join("");
const pem = (kind: string, lineEnd: string) =>
  framed(
    `private key (${kind || "plain"}, ${JSON.stringify(lineEnd)})`,
    dashes(`BEGIN ${kind}PRIV${"ATE KEY"}`),
    `${lineEnd}${[an(64), an(64), an(30)].join(lineEnd)}==${lineEnd}`,
    dashes(`END ${kind}PRIV${"ATE KEY"}`),
  );

export const SAMPLES: readonly Sample[] = [
  // Clouds and hosting.
  ...["AKI", "ASI", "ARO"].map((kind) => plain("AWS id", kind, "A", caps(16))),
  framed("AWS secret", "aws_secret_access_key = ", an(40), "\n"),
  framed("AWS secret in JSON", '{"SecretAccessKey": "', an(40), '"}'),
  framed("AWS secret without a sign", "aws configure set aws_secret_access_key ", an(40), ""),
  plain("Bedrock", "ABSK", "QmVkcm9ja0FQSUtleS", an(110)),
  plain("Google key", "AI", "za", url64(35)),
  plain("Google OAuth", "GOC", "SPX-", url64(28)),
  framed("Azure storage", "DefaultEndpointsProtocol=https;AccountKey=", `${an(86)}==`, ";EndpointSuffix=x"),
  plain("Azure AD", an(3), "8", "Q~", an(33)),
  plain("DigitalOcean", "dop", "_v1_", hex(64)),
  assigned("alibaba", lower(30)),
  plain("Yandex", "AQ", "VN", url64(36)),
  assigned("heroku", uuid()),
  plain("Fly.io", "FlyV1 f", "m2_", an(80)),
  plain("Vercel", "vc", "p_", an(40)),
  plain("Netlify", "nf", "p_", an(40)),
  plain("Render", "rn", "d_", an(40)),
  plain("Scalingo", "tk-", "us-", an(48)),
  plain("Deno", "dd", "p_", an(36)),
  assigned("cloudflare", lower(40)),
  plain("OpenShift", "sha256", "~", url64(43)),
  plain("Databricks", "da", "pi", hex(32)),
  plain("PlanetScale", "pscale", "_pw_", an(43)),
  plain("Supabase", "sb_", "secret_", an(40)),
  plain("Akamai", "aka", "b-", lower(16), "-", lower(16)),
  framed("Cloudinary", "cloudinary://123456789012345:", an(27), "@cloud"),
  // Forges, registries, build.
  ...["ghp", "gho", "ghu", "ghs", "ghr"].map((kind) => plain("GitHub", kind, "_", an(36))),
  plain("GitHub fine grained", "github", "_pat_", an(22), "_", an(59)),
  plain("GitLab", "glp", "at-", an(20)),
  plain("GitLab trigger", "glp", "tt-", hex(40)),
  plain("Docker Hub", "dckr", "_pat_", an(27)),
  framed("Kubernetes", ".dockerconfigjson: ", base64url(`{"auths":{"r":{"auth":"${an(20)}"}}}`), "\n"),
  plain("npm", "np", "m_", an(36)),
  plain("RubyGems", "ruby", "gems_", hex(48)),
  plain("Packagist", "packagist", "_uut_", hex(68)),
  plain("Bitbucket", "AT", "BB", an(32)),
  plain("Atlassian", "ATATT", "3xFfGF0", an(190)),
  plain("JFrog", "AK", "Cp", an(70)),
  plain("Sonar", "sq", "u_", hex(40)),
  plain("Sourcegraph", "sg", "p_", hex(40)),
  plain("Buildkite", "bk", "ua_", an(40)),
  plain("CircleCI", "CCI", "PAT_", an(22), "_", hex(40)),
  assigned("travis", lower(22)),
  assigned("codecov", lower(32)),
  assigned("snyk", uuid()),
  plain("Harness", "pa", "t.", an(22), ".", an(24), ".", an(20)),
  plain("Pulumi", "pu", "l-", hex(40)),
  plain("Terraform", an(14), ".atlas", "v1.", an(64)),
  plain("Infracost", "ic", "o-", an(32)),
  plain("Prefect", "pn", "u_", an(36)),
  plain("TruffleHog", "thog", "-key-", hex(16)),
  plain("Nightfall", "N", "F-", an(32)),
  // Models.
  plain("OpenAI", "sk", "-proj-", an(30), "T3Blbk", "FJ", an(30)),
  plain("Anthropic", "sk-", "ant-api03-", url64(93), "AA"),
  plain("Hugging Face", "h", "f_", an(36)),
  plain("Groq", "gs", "k_", an(52)),
  plain("Perplexity", "ppl", "x-", an(50)),
  plain("xAI", "xa", "i-", an(80)),
  plain("Replicate", "r", "8_", an(37)),
  plain("OpenRouter", "sk-", "or-v1-", hex(64)),
  assigned("deepseek", `sk-${lower(32)}`),
  plain("LangSmith", "lsv2", "_pt_", hex(32), "_", hex(10)),
  plain("NVIDIA", "nv", "api-", an(64)),
  assigned("deepgram", hex(40)),
  plain("Voiceflow", "V", "F.DM.", hex(24), ".", an(16)),
  // Payment.
  plain("Stripe", "sk", "_live_", an(24)),
  plain("Stripe restricted", "rk", "_test_", an(99)),
  plain("Stripe webhook", "wh", "sec_", an(32)),
  plain("Razorpay", "rzp", "_live_", an(14)),
  plain("Plaid", "access", "-sandbox-", uuid()),
  plain("Braintree", "access_", "token$production$", an(16), "$", hex(32)),
  plain("Flutterwave", "FLWS", "ECK_TEST-", hex(12)),
  plain("EasyPost", "EZ", "AK", an(54)),
  plain("Shippo", "shippo", "_live_", hex(40)),
  assigned("finicity", hex(32)),
  plain("Ramp", "ramp", "_sec_", an(48)),
  // Messaging and mail.
  plain("Slack", "xo", "xb-", digits(12), "-", digits(12), "-", an(24)),
  plain("Slack app", "xa", "pp-1-", caps(11), "-", digits(13), "-", hex(64)),
  plain("Slack webhook", "https://hooks.slack", ".com/services/T", caps(8), "/B", caps(8), "/", an(24)),
  plain("Discord bot", "M", an(23), ".", an(6), ".", an(27)),
  plain("Discord webhook", "https://discord", ".com/api/webhooks/", digits(18), "/", an(68)),
  plain("Telegram", digits(9), ":A", "A", an(33)),
  plain("Twilio", "S", "K", hex(32)),
  plain("SendGrid", "S", "G.", an(22), ".", an(43)),
  plain("Sendinblue", "xkeys", "ib-", hex(64), "-", an(16)),
  assigned("mailgun", `key-${hex(32)}`),
  plain("Mailchimp", hex(32), "-us", "20"),
  framed(
    "Teams",
    "https://x.webhook.office.com/webhookb2/",
    `${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`,
    " ok",
  ),
  plain("PubNub", "su", "b-c-", uuid()),
  assigned("mattermost", lower(26)),
  assigned("zendesk", lower(40)),
  assigned("sendbird", hex(40)),
  // Monitoring and data.
  plain("Grafana", "gl", "sa_", an(32), "_", hex(8)),
  plain("New Relic", "NR", "AK-", caps(27)),
  plain("Sentry", "sntr", "yu_", hex(64)),
  assigned("datadog", lower(40)),
  assigned("sumo", lower(64)),
  assigned("confluent", lower(64)),
  assigned("looker", lower(24)),
  plain("Honeycomb", "hca", "ik_", an(58)),
  plain("PostHog", "ph", "x_", an(43)),
  plain("Dynatrace", "dt0", "c01.", an(24), ".", an(64)),
  plain("MaxMind", an(6), "_", an(29), "_m", "mk"),
  assigned("algolia", lower(32)),
  assigned("airtable", lower(17)),
  plain("Mapbox", "p", "k.", lower(60), ".", lower(22)),
  plain("Alchemy", "alc", "ht_", an(30)),
  // Identity, infrastructure, services.
  plain("Vault", "hv", "s.", an(100)),
  plain("Tailscale", "tskey", "-auth-", an(12), "-", an(30)),
  plain("Doppler", "dp.", "pt.", an(43)),
  plain("1Password", "ops", "_eyJ", an(300)),
  plain("1Password secret key", "A", "3-", caps(6), "-", caps(11), "-", caps(5), "-", caps(5), "-", caps(5)),
  assigned("okta", `00${lower(40)}`),
  plain("LaunchDarkly", "sd", "k-", uuid()),
  assigned("ngrok", `${an(27)}_${an(21)}`),
  assigned("meraki", hex(40)),
  plain("Defined", "dnk", "ey-", lower(26), "-", lower(52)),
  plain("SettleMint", "sm", "_pat_", an(16)),
  plain("Notion", "nt", "n_", digits(11), an(35)),
  plain("Linear", "lin", "_api_", an(40)),
  plain("Asana", "1", "/", digits(16), ":", hex(32)),
  plain("ClickUp", "p", "k_", digits(8), "_", caps(32)),
  plain("Figma", "fi", "gd_", an(40)),
  plain("Contentful", "CF", "PAT-", an(43)),
  plain("Shopify", "sh", "pat_", hex(32)),
  plain("Postman", "PM", "AK-", hex(24), "-", hex(34)),
  plain("Typeform", "tf", "p_", an(59)),
  plain("HubSpot", "pat-", "na1-", uuid()),
  plain("ReadMe", "rd", "me_", lower(70)),
  plain("Adafruit", "ai", "o_", an(28)),
  plain("Intra42", "s-s4t2", "ud-", hex(64)),
  ...["adobe", "facebook"].map((vendor) => assigned(vendor, hex(32))),
  ...["etsy", "plaid"].map((vendor) => assigned(vendor, lower(24))),
  ...["dropbox", "twitch", "twitter"].map((vendor, at) => assigned(vendor, lower([15, 30, 25][at] ?? 0))),
  assigned("intercom", lower(60)),
  assigned("trello", lower(32)),
  plain("an agent's whole key", "q", "d_", an(43), "_", hex(64)),
  plain("the bearer half of an agent's key", "q", "d_", an(43)),
  ...["s", "j", "a"].map((kind) => plain(`the console's token ${kind}`, "q", `d${kind}_`, an(43))),
  framed("the answer key of an agent", "the answer-key: ", hex(64), " of this machine"),
  // Structured material.
  ...["RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "].map((kind) => pem(kind, "\n")),
  pem("", "\r\n"),
  pem("RSA ", "\\n"),
  plain("age", "AGE-SECRET", "-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE"),
  plain("JWT", base64url('{"alg":"HS256"}'), ".", base64url('{"sub":"someone"}'), ".", url64(43)),
  ...["postgres", "postgresql", "mysql", "mongodb+srv", "amqps"].map((scheme) =>
    framed(scheme, `${scheme}://app:`, an(12), "@db.example.com:5432/x?ssl=true"),
  ),
  framed("redis without a user", "redis://:", an(16), "@cache:6379/0"),
  framed("a password with an at sign", "mysql://root:", `${an(6)}@${an(6)}`, "@db/x"),
  framed("Sidekiq", "https://", `${hex(8)}:${hex(8)}@gems.contribsys.com`, "/"),
];
