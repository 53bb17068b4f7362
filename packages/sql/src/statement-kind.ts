/** Statements that read, if no word of a write is in them. */
const READ = /^[\s(]*(select|values|with|show|describe|explain)\b/i

/** Words of statements that write, or lock to write later. Inside a text they cost a check, and no harm. */
const WRITES = /\b(insert|update|delete|merge|replace|truncate|into|call|nextval|setval|analyze|share)\b/i

/** Statements that leave an open transaction open on every engine. */
const DML = /^[\s(]*(select|values|with|insert|update|delete|replace)\b/i

/**
 * Does a statement only read? When in doubt, no. A function of the user's own that writes is not seen through:
 * call it inside a transaction.
 */
export function isRead(sql: string): boolean {
  return READ.test(sql) && !WRITES.test(sql)
}

/** Can a statement, such as one that changes the schema, end the transaction that it runs in? When in doubt, yes. */
export function mayCommit(sql: string): boolean {
  return !DML.test(sql)
}
