-- The leaves of a batch stand in its audit entry, where they outlive the rows by themselves.
DROP TABLE dispatch_leaf;
