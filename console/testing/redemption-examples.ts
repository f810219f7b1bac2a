/** A redemption code as lists of the API hold it; quota in units. */
export const aCodeRow = {
  id: 1,
  user_id: 1,
  key: 'key-1',
  status: 1,
  name: 'spring',
  quota: 500_000,
  created_time: 1_700_000_000,
  redeemed_time: 0,
  count: 0,
  used_user_id: 0,
  DeletedAt: null,
};
