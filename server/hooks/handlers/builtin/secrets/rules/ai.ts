/** Model providers and what is built around them. */
import { assigned, token } from "../rule.ts";
import { AN, HEX, LOWER, URL64 } from "./shapes.ts";

const OPENAI_INFIX = ["T3Blbk", "FJ"].join("");

export const AI = [
  token("openai", ["sk-"], `${URL64}{20,120}${OPENAI_INFIX}${URL64}{20,120}`),
  token("anthropic", ["sk-ant-"], `(?:api|sid|admin)[0-9]{2}-${URL64}{93}AA`),
  token("hugging-face", ["hf_"], `${AN}{34,40}`),
  token("hugging-face-organization", ["api_org_"], `${AN}{34}`),
  token("groq", ["gsk_"], `${AN}{52}`),
  token("perplexity", ["pplx-"], `${AN}{48,56}`),
  token("xai", ["xai-"], `${AN}{80}`),
  token("cohere", ["co_"], `${AN}{40}`),
  token("replicate", ["r8_"], `${AN}{37}`),
  token("openrouter", ["sk-or-v1-"], `${HEX}{64}`),
  assigned("deepseek", ["deepseek"], `sk-${LOWER}{32}`),
  token("pinecone", ["pckey_"], `${URL64}{20,120}`),
  token("pinecone-secret", ["pcsk_"], `${AN}{5,6}_${AN}{63}`),
  token("langsmith", ["lsv2_pt_", "lsv2_sk_"], `${HEX}{32}_${HEX}{10}`),
  token("nvidia", ["nvapi-"], `${URL64}{64}`),
  assigned("assemblyai", ["assemblyai", "assembly_ai"], `${HEX}{32}`),
  assigned("deepgram", ["deepgram"], `${HEX}{40}`),
  token("voiceflow", ["VF."], `(?:(?:DM|WS)\\.)?[a-fA-F0-9]{24}\\.${AN}{16}`),
];
