// Texts of commands, by their names in the audit log, and of their authors. README.md, "Texts", says how to add one.

/** Every command of the exchange. */
export const commands: Record<string, string> = {
  // Time and rules
  tick: 'Passing of time',
  upgrade_rules: 'New rules',

  // People
  create_user: 'New user',
  suspend_user: 'Suspend or resume a user',
  start_login: 'Attempt to log in',
  open_session: 'Login',
  end_session: 'Logout',
  request_password_reset: 'Request for a new password',
  reset_password: 'Change of a password',
  create_api_key: 'New API key',
  revoke_api_key: 'Revoke an API key',
  rotate_api_key: 'Rotate an API key',
  set_watchlist: 'Change of a watchlist',
  create_operator: 'New operator',
  revoke_operator: 'Revoke an operator',
  open_operator_session: 'Login to the console',
  end_operator_session: 'Logout from the console',
  approve_password_reset: 'New password',
  change_role: 'Change of a role',
  confirm_operator: 'A person of its own',
  suspend_operator: 'Suspend or reinstate an operator',
  break_glass: 'Break-glass approver',

  // Money in and out
  credit_wallet: 'Credit',
  debit_wallet: 'Debit',
  move_fees: 'Move fees',
  freeze_user: 'Freeze or release a user',
  record_master_key: 'First master key',
  replace_master_key: 'New master key',
  record_skip: 'Skipped request',
  erase_user: 'Erasing a person',

  // Events and markets
  create_event: 'New event',
  edit_event: 'Change of a draft',
  open_event: 'Open an event',
  pause_trading: 'Pause trading',
  resume_trading: 'Resume trading',
  close_trading: 'Close trading',
  resolve_market: 'Resolve a market',
  cancel_markets: 'Call off markets',
  seed_pool: 'Seed a pool',
  grow_pool: 'Grow a pool',
  set_market_terms: 'Change of terms',
  change_terms: 'Change of terms',

  // Series, assets, sports
  create_series: 'New series',
  pause_series: 'Pause or resume a series',
  record_price: 'Price of an asset',
  import_sports: 'Import of sports',
  create_soccer_events: 'Events of a game',
  record_game_result: 'Result of a game',

  // Trading
  place_order: 'Place an order',
  place_orders: 'Place orders',
  cancel_order: 'Cancel an order',
  cancel_orders: 'Cancel orders',
  cancel_all_orders: 'Cancel all orders',
  amend_orders: 'Amend orders',
  mint_sets: 'Mint sets',
  burn_sets: 'Burn sets',
  cancel_after: 'Cancel orders after a time',
  cancel_on_disconnect: 'Cancel orders on a disconnect',
  end_connection: 'End of a connection',
  cancel_orders_of: 'Cancel orders of a user',

  // How the venue is run
  set_policy: 'Change of the policy',
  propose: 'Propose',
  finalise: 'Finalise a proposal',
  withdraw: 'Withdraw a proposal',
  set_cancel_only: 'Cancel only',
  finalise_series: 'Finalise results of a series',
  record_picture: 'Upload of a picture',
  record_news: 'News of an event',
  change_policy: 'Change of the policy',
  do_or_propose: 'Do or propose',
}

/** Commands that are proposed in one direction only: the other one is done at once. */
export const proposals: Record<string, string> = {
  suspend_user: 'End of a suspension',
  suspend_operator: 'End of a suspension',
  freeze_user: 'End of a freeze',
}

/** Who gave a command: the exchange itself, or an operator of a role. */
export const authors: Record<string, string> = {
  node: 'exchange',
  viewer: 'viewer',
  operator: 'operator',
  approver: 'approver',
}
