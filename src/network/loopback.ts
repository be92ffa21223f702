/** Whether a host, as URLs write it, is this machine itself: nothing sent to it crosses a network. */
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
}
