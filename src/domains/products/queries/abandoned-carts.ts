/** How long a cart is left alone before it counts as abandoned. */
export const ABANDONED_AFTER_MINUTES = 60;
