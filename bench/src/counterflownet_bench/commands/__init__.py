"""What `counterflownet` can do once this package is installed: datasets, benchmark, study."""
