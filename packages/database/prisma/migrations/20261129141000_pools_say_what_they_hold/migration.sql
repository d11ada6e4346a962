-- What a pool holds above its size was known to the process alone that had seen it leased; where none had looked in between, its slots came
-- back a lease later.
ALTER TABLE "browser_pools" ADD COLUMN "reserved" INTEGER NOT NULL DEFAULT 0;
UPDATE "browser_pools" SET "reserved" = "size" WHERE "deleted_at" IS NULL;
