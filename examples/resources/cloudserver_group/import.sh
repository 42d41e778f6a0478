# By account and name, by name in the provider's account, or by numeric ID.
terraform import cloudserver_group.production demo/production
terraform import cloudserver_group.production production
terraform import cloudserver_group.production 1234
