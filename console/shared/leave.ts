const isWeb = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

/** Leaves the console for another site. False for an address that is none of the web. */
export const leaveFor = (address: string): boolean => {
  if (!isWeb(address)) return false;
  window.location.assign(address);
  return true;
};
