/**
 * Functions that give one value for one row and read no other. Of one that is not here it is not known whether it
 * is an aggregate, gives many rows, or looks at its neighbours; that matters only where rows are counted or kept.
 */
export const scalarFunctions: ReadonlySet<string> = new Set(
  (
    'abs cast ceil ceiling char_length character_length coalesce concat concat_ws convert date date_add ' +
    'date_format date_part date_sub date_trunc datetime extract floor format from_unixtime greatest hex if ifnull ' +
    'iif instr json_array json_build_array json_build_object json_extract json_object json_type json_unquote ' +
    'json_valid jsonb_build_array jsonb_build_object julianday least left length lower lpad ltrim md5 mod now nullif ' +
    'octet_length position power printf quote replace reverse right round row_to_json rpad rtrim sha1 sign sqrt ' +
    'strftime strpos substr substring time timestamp to_char to_date to_json to_jsonb to_timestamp trim trunc ' +
    'typeof unicode unix_timestamp unixepoch upper'
  ).split(' '),
)
