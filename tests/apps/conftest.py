def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; ctest runs it under the label 'long'")
    config.addinivalue_line("markers", "repeats: runs a scene again and again to compare bits; the address sanitizer sees "
                                       "nothing there that single runs do not show it")
