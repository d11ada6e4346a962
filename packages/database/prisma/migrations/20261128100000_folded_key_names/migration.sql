-- D16: one folding of names, made by the service; lower() of a database depends on its locale. For keys that are here already lower() has to do.
ALTER TABLE "api_keys" ADD COLUMN "name_folded" TEXT;
UPDATE "api_keys" SET "name_folded" = lower("name");
ALTER TABLE "api_keys" ALTER COLUMN "name_folded" SET NOT NULL;
-- The `name` filter of the list.
CREATE INDEX "api_keys_undeleted_by_name" ON "api_keys" ("organization_id", "name_folded") WHERE "deleted_at" IS NULL;
