-- A project is deleted only when it is empty (D21). A row inserted while the deletion looks would slip past that look, so an insert holds the project's row
-- until its own commit, the deletion waits for it, and an insert that waited for a deletion is refused with SQLSTATE BTH01.
CREATE FUNCTION refuse_deleted_project() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  deleted timestamptz;
BEGIN
  SELECT deleted_at INTO deleted FROM projects WHERE id = NEW.project_id FOR KEY SHARE;
  IF deleted IS NOT NULL THEN
    RAISE EXCEPTION 'the project is deleted' USING ERRCODE = 'BTH01';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER browser_sessions_of_undeleted_project BEFORE INSERT ON browser_sessions FOR EACH ROW EXECUTE FUNCTION refuse_deleted_project();
CREATE TRIGGER browser_pools_of_undeleted_project BEFORE INSERT ON browser_pools FOR EACH ROW EXECUTE FUNCTION refuse_deleted_project();
CREATE TRIGGER auth_connections_of_undeleted_project BEFORE INSERT ON auth_connections FOR EACH ROW EXECUTE FUNCTION refuse_deleted_project();
CREATE TRIGGER credentials_of_undeleted_project BEFORE INSERT ON credentials FOR EACH ROW EXECUTE FUNCTION refuse_deleted_project();
CREATE TRIGGER profiles_of_undeleted_project BEFORE INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION refuse_deleted_project();
CREATE TRIGGER invocations_of_undeleted_project BEFORE INSERT ON invocations FOR EACH ROW EXECUTE FUNCTION refuse_deleted_project();
