/** The icon of the pages, for tabs and bookmarks. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0b5f55"/><path d="M7 17v-4M12 17V7M17 17v-7" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;
