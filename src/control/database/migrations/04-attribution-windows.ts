import type { Migration } from './migration.ts';

export const attributionWindows: Migration = ({ integer }) => `
  alter table businesses add column attribution_click_window_h ${integer};
  alter table businesses add column attribution_open_window_h ${integer};
  alter table businesses add column sms_delivery_window_h ${integer};
  `;
