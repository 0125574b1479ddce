def name_of(port, frame, theirs, ours, config):
    return None
