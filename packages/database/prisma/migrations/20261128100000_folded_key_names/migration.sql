-- D16: one folding of names, made by the service; lower() of a database depends on its locale. For keys that are here already lower() has to do.
ALTER TABLE "api_keys" ADD COLUMN "name_folded" TEXT;
UPDATE "api_keys" SET "name_folded" = lower("name");
ALTER TABLE "api_keys" ALTER COLUMN "name_folded" SET NOT NULL;
