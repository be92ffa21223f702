/**
 * What the declarations of tools and tables cost and make, in one process, since loading them takes most of
 * the time.
 */
import './report-tokens.ts';
import './check-generated.ts';
