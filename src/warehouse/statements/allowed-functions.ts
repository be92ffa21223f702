/**
 * What a statement may call: functions of the values that it gives them, and of nothing else. Not among them
 * is what reads files, settings, the catalogue, the statement itself or the environment; what waits; and what
 * makes a long text or list of a short one (`repeat`, `format`, `list_resize`), since memory that a text
 * takes is counted too late.
 */
const LISTS = `
  any_value append apply avg cat concat contains count distinct element extract filter first has has_all has_any
  indexof intersect last max median min mode pop_back pop_front position prepend push_back push_front reduce reverse reverse_sort
  select slice sort stddev_pop stddev_samp sum transform unique value var_pop var_samp where zip`;

const NAMES = `
  + - * / // % ** ^ || & | << >> ~ !~ @ @> <@ && ^@ ->> -> ~~ !~~ ~~* !~~* ~~~
  abs acos add asin atan atan2 cbrt ceil ceiling cos cot degrees divide even exp fdiv floor fmod gcd greatest isfinite isinf isnan
  lcm least ln log log10 log2 mod multiply nullif pi pow power radians random round round_even roundbankers sign signbit sin sqrt
  subtract tan trunc xor bit_count
  age century date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek
  dayofyear days_in_month decade epoch epoch_ms epoch_us era get_current_timestamp hour isodow isoyear julian last_day make_date
  make_time make_timestamp microsecond millennium millisecond minute month monthname now quarter second strftime strptime
  time_bucket timezone to_centuries to_days to_decades to_hours to_microseconds to_milliseconds to_minutes to_months to_quarters
  to_seconds to_timestamp to_weeks to_years today transaction_timestamp try_strptime week weekday weekofyear year yearweek
  ascii bit_length char_length character_length chr concat concat_ws contains damerau_levenshtein editdist3 ends_with
  hamming ilike_escape instr jaccard jaro_similarity jaro_winkler_similarity lcase left left_grapheme len length
  length_grapheme levenshtein like_escape lower lpad ltrim mismatches nfc_normalize not_ilike_escape not_like_escape octet_length
  ord parse_filename parse_path position prefix regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches
  regexp_replace regexp_split_to_array replace reverse right right_grapheme rpad rtrim split split_part starts_with str_split
  str_split_regex string_split string_split_regex string_to_array strip_accents strlen strpos substr substring
  substring_grapheme suffix translate trim ucase unicode upper url_decode url_encode
  json json_array json_array_length json_contains json_exists json_extract json_extract_path json_extract_path_text
  json_extract_string json_keys json_object json_quote json_structure json_type json_valid json_value to_json row_to_json
  from_json
  array_extract array_to_string array_contains array_has array_has_all array_has_any array_length array_position array_slice
  apply cardinality element_at filter flatten generate_series grade_up map map_concat map_contains map_entries map_extract
  map_extract_value map_from_entries map_keys map_values range reduce row struct_concat struct_extract struct_extract_at
  struct_insert struct_keys struct_pack struct_values typeof unnest
  any_value approx_count_distinct approx_quantile arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin array_agg avg
  bit_and bit_or bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp entropy favg first fsum
  geomean geometric_mean group_concat histogram kahan_sum kurtosis kurtosis_pop last list listagg mad max max_by mean median min
  min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
  regr_sxx regr_sxy regr_syy sem skewness stddev stddev_pop stddev_samp string_agg sum sum_no_overflow sumkahan var_pop var_samp
  variance wavg weighted_avg
  cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number`;

const words = (text: string) => text.split(/\s+/).filter(Boolean);

export const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set([
  ...words(NAMES),
  ...words(LISTS).flatMap((name) => [`list_${name}`, `array_${name}`]),
]);

/** The functions that are allowed as tables: rows of numbers, and the elements of a list. */
export const ALLOWED_TABLE_FUNCTIONS: ReadonlySet<string> = new Set(['range', 'generate_series', 'unnest']);

/** The functions that make texts as long as their second argument says. */
export const PADDING_FUNCTIONS: ReadonlySet<string> = new Set(['lpad', 'rpad']);
export const MOST_PADDING = 1000;
