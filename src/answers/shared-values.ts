/**
 * What fewer profiles have in common can tell who they are: free texts, personal coupons, exact days of
 * birth. Conditions on such values meet nobody, as those on values that do not exist.
 */
export const LEAST_SHARING = 5;
