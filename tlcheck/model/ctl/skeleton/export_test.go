package skeleton

// Verify is verify for tests.
var Verify = verify
