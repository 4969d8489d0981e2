-- False for a judge that is asked about every call, also about one that it answered before.
ALTER TABLE judge_cap ADD COLUMN reuses_verdicts boolean NOT NULL DEFAULT true;

-- CONNECTION/MODEL that is asked when this connection does not answer; null for none.
ALTER TABLE model_connection ADD COLUMN fallback text;
