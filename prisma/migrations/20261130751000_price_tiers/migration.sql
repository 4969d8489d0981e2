-- Tiers of a judge's price: cache writes that are kept for an hour, and prompts beyond a number of tokens. Null: no own price.
ALTER TABLE model_price ADD COLUMN hour_cache_write bigint;
ALTER TABLE model_price ADD COLUMN long_prompt jsonb;
