/**
 * SQL for the RETURNING list of a statement whose commit need not be on disk when it is answered. Only where nothing is told or done on the
 * strength of it before something later is committed in the ordinary way: PostgreSQL brings commits to disk in their order, so by then this
 * one is there too. What a crash of PostgreSQL itself, and nothing else, may take back is then a step that nobody has seen. Ends with its
 * transaction.
 */
export const onDiskLater = `set_config('synchronous_commit', 'off', true)`;
